import { z } from 'zod'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import { analyticsProviders } from '../providers/analytics/all.ts'
import { captchaProviders } from '../providers/captcha/all.ts'
import { emailProviders } from '../providers/email/all.ts'
import { messageProviders } from '../providers/messages/all.ts'
import { templateProblem } from '../providers/messages/template.ts'
import { moderationProviders } from '../providers/moderation/all.ts'
import { scoreProviders } from '../providers/scores/all.ts'
import { uploadProviders } from '../providers/uploads/all.ts'
import { Text } from './fields.ts'
import { oneOf } from './one-of.ts'
import type { ScoreFormula } from '../lib/score-formula.ts'

/** Named once more than in the contract: the compiler tells when one is missing or too many. */
const CAPTCHA_ACTIONS: Readonly<Record<CaptchaAction, true>> = {
  register: true,
  recover: true,
  setEmail: true,
  avatarUpload: true,
  instancerStart: true,
  instancerExtend: true,
  adminBotSubmit: true,
}
const captchaActions = Object.keys(CAPTCHA_ACTIONS) as CaptchaAction[]

const Template = z
  .string()
  .min(1)
  .superRefine((template, context) => {
    const message = templateProblem(template)
    if (message !== null) context.addIssue({ code: 'custom', message: `is no template: ${message}` })
  })

const BloodDestination = z.strictObject({
  provider: oneOf(messageProviders, 'Where messages go.'),
  bloodEmojis: z.array(z.string()).default([]),
  messageTemplate: Template.optional(),
})

/** What is done by a provider that the deployment picks. */
export const providerKeys = {
  scoreProvider: oneOf<ScoreFormula>(
    scoreProviders,
    'How the value of a challenge follows from its solves.',
  ).prefault({
    name: 'scores/classic',
  }),
  uploadProvider: oneOf(uploadProviders, 'Where files are kept.').prefault({ name: 'uploads/local' }),
  avatarsModeration: z
    .strictObject({
      provider: oneOf(moderationProviders, 'Who looks at avatars.'),
      allowOnInternalError: z
        .boolean()
        .default(true)
        .describe('Whether an avatar passes when no verdict can be had.'),
    })
    .optional()
    .describe('Moderation of avatars before they are shown. Absent: off.'),
  captcha: z
    .strictObject({
      provider: oneOf(captchaProviders, 'Who tells people from programs.'),
      protectedEndpoints: z
        .array(z.enum(captchaActions))
        .default([])
        .describe(`Actions that ask for a captcha: ${captchaActions.join(', ')}.`),
    })
    .optional()
    .describe('Captcha. Absent: off.'),
  email: z
    .strictObject({
      provider: oneOf(emailProviders, 'How mail is sent.'),
      from: Text.describe('Address that mail comes from.'),
      logoUrl: z
        .string()
        .optional()
        .describe('Picture at the head of mails. Default: the logos of the site.'),
    })
    .optional()
    .describe('Mail. Absent: teams register without proving their address, and there is no recovery.'),
  analytics: z
    .strictObject({ provider: oneOf(analyticsProviders, 'Whose script visitors get, through this server.') })
    .optional()
    .describe('Analytics. Absent: off.'),
  globalSiteTag: Text.optional().describe(
    'An old key: `analytics/google` with this tag where there is no other provider; clients of version 1 are told it.',
  ),
  bloodBot: z
    .strictObject({
      bloodsCount: z.int().min(1).max(100).default(1).describe('How many solves of a challenge are told of.'),
      destinations: z
        .array(BloodDestination)
        .min(1)
        .describe(
          'Who is told: entries of `provider`, optional `bloodEmojis` (a list, one for each place) and `messageTemplate`. See [bloods.md](bloods.md).',
        ),
    })
    .optional()
    .describe('Messages about the first solves of each challenge. Absent: off.'),
}
