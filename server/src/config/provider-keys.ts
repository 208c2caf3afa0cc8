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
import { Mailbox, Text } from './fields.ts'
import { oneOf } from './one-of.ts'
import type { ScoreFormula } from '../lib/score-formula.ts'

/** Repeats the contract's list: the compiler reports missing and surplus entries. */
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
    if (message !== null) context.addIssue({ code: 'custom', message: `is not a valid template: ${message}` })
  })

const BloodDestination = z.strictObject({
  provider: oneOf(messageProviders, 'Where messages go.'),
  bloodEmojis: z.array(z.string()).default([]),
  messageTemplate: Template.optional(),
})

/** Functions that a configured provider performs. */
export const providerKeys = {
  scoreProvider: oneOf<ScoreFormula>(
    scoreProviders,
    'How the points of a challenge depend on its solves.',
  ).prefault({
    name: 'scores/classic',
  }),
  uploadProvider: oneOf(uploadProviders, 'Where uploaded files are stored.').prefault({
    name: 'uploads/local',
  }),
  avatarsModeration: z
    .strictObject({
      provider: oneOf(moderationProviders, 'Service that moderates avatars.'),
      allowOnInternalError: z
        .boolean()
        .default(true)
        .describe('Whether an avatar is accepted if moderation fails.'),
    })
    .optional()
    .describe('Moderation of avatars before they are shown. Absent: off.'),
  captcha: z
    .strictObject({
      provider: oneOf(captchaProviders, 'Captcha service.'),
      protectedEndpoints: z
        .array(z.enum(captchaActions))
        .default([])
        .describe(`Actions that require a captcha: ${captchaActions.join(', ')}.`),
    })
    .optional()
    .describe('Captcha. Absent: off.'),
  email: z
    .strictObject({
      provider: oneOf(emailProviders, 'Service that sends mail.'),
      from: Mailbox.describe('Sender: an address, or `Name <address>`. Default name: that of the contest.'),
      logoUrl: z.string().optional().describe('Logo at the top of emails. Default: the logos of the site.'),
      perMinute: z
        .int()
        .min(1)
        .max(6000)
        .default(60)
        .describe(
          'Mails to many teams or people that are sent in a minute. Other mail does not wait for them.',
        ),
    })
    .optional()
    .describe('Mail. Absent: email addresses are not verified, and accounts cannot be recovered.'),
  analytics: z
    .strictObject({
      provider: oneOf(analyticsProviders, 'Analytics service. Its script is served through this server.'),
    })
    .optional()
    .describe('Analytics. Absent: off.'),
  globalSiteTag: Text.optional().describe(
    'Deprecated: the same as `analytics/google` with this tag, unless another provider is set; also sent to clients of version 1.',
  ),
  bloodBot: z
    .strictObject({
      bloodsCount: z
        .int()
        .min(1)
        .max(100)
        .default(1)
        .describe('Number of first solves of each challenge that are announced.'),
      destinations: z
        .array(BloodDestination)
        .min(1)
        .describe(
          'Where first solves are announced: entries of `provider`, optional `bloodEmojis` (a list, one for each place) and `messageTemplate`. See [bloods.md](bloods.md).',
        ),
    })
    .optional()
    .describe('Messages about the first solves of each challenge. Absent: off.'),
  questionBot: z
    .strictObject({
      destinations: z
        .array(z.strictObject({ provider: oneOf(messageProviders, 'Where messages go.') }))
        .min(1)
        .max(20)
        .describe(
          'Where new questions of teams are reported to organisers: entries of `provider`. Use a channel that only organisers can read. See [providers.md](../reference/providers.md#questions).',
        ),
    })
    .optional()
    .describe('Messages to the organisers about new questions of teams. Absent: off.'),
}
