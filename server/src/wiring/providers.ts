import { hkdfSync, randomBytes } from 'node:crypto'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { Config } from '../config/config.ts'
import { startInstancers } from '../config/start-instancers.ts'
import type { Database } from '../db/database.ts'
import { createMintedFlags } from '../features/contest/submissions/minted-flags.ts'
import type { Circuits, IsFailure } from '../lib/circuits.ts'
import { UnreachableError } from '../lib/errors.ts'
import type { Markers } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createRegexTester, type RegexTester } from '../lib/regex.ts'
import type { ScoreFormula } from '../lib/score-formula.ts'
import type { AdminBot } from '../providers/admin-bot/admin-bot.ts'
import type { Analytics } from '../providers/analytics/analytics.ts'
import type { Captcha, CaptchaContext } from '../providers/captcha/captcha.ts'
import type { Email } from '../providers/email/email.ts'
import { flagProviders } from '../providers/flags/all.ts'
import type { Flags } from '../providers/flags/flags.ts'
import { createFlags } from '../providers/flags/registry.ts'
import type { Instancers } from '../providers/instancer/registry.ts'
import type { Moderation } from '../providers/moderation/moderation.ts'
import type { ProviderContext } from '../providers/provider.ts'
import type { Uploads } from '../providers/uploads/uploads.ts'
import { startDestinations, type Destinations } from './bloods.ts'
import { startQuestionDestinations, type QuestionDestinations } from './questions.ts'

/** The configured providers, started. Null where none is configured. */
export interface Providers {
  readonly score: ScoreFormula
  readonly email: Email | null
  readonly captcha: Captcha | null
  readonly flags: Flags
  readonly regex: RegexTester
  readonly instancers: Instancers | null
  readonly adminBot: AdminBot | null
  readonly uploads: Uploads
  readonly moderation: Moderation | null
  readonly analytics: Analytics | null
  readonly bloodDestinations: Destinations
  readonly questionDestinations: QuestionDestinations
  /** Closes their open resources. */
  close(): Promise<void>
}

export interface ProviderDeps {
  readonly db: Database
  readonly log: Log
  readonly now: () => number
  readonly markers: Markers
  readonly circuits: Circuits
  readonly fetch: typeof globalThis.fetch
}

export async function startProviders(config: Config, deps: ProviderDeps): Promise<Providers> {
  const { db, log, now, circuits, fetch } = deps
  const context: ProviderContext = { fetch, log, now, dataDir: config.dataDir }
  const regex = createRegexTester()
  const minted = createMintedFlags(db)
  const email = config.email ? throughCircuit(await config.email.provider.start(context), circuits) : null
  const instancers = await startInstancers(config, context)
  return {
    score: await config.scoreProvider.start(context),
    email,
    captcha: await startCaptcha(config, context, deps.markers),
    uploads: await config.uploadProvider.start(context),
    moderation: (await config.avatarsModeration?.provider.start(context)) ?? null,
    analytics: config.analytics ? await config.analytics.provider.start(context) : null,
    bloodDestinations: await startDestinations(config, context),
    questionDestinations: await startQuestionDestinations(config, context),
    flags: createFlags(flagProviders({ regex, minted, chance: randomBytes, log })),
    regex,
    instancers,
    adminBot: config.adminBot ? await config.adminBot.provider.start(context) : null,
    async close() {
      await instancers?.close()
      email?.close?.()
      await regex.close()
    },
  }
}

/** What Nodemailer reports if the server could not be reached or did not answer, instead of refusing a message. */
const MAIL_SERVER_AWAY = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'ESOCKET',
  'ETIMEDOUT',
])

/** Services that are called by `fetch` have a circuit anyway, and throw other errors. */
function throughCircuit(email: Email, circuits: Circuits): Email {
  return {
    ...email,
    send: (message) => circuits.run('mail', () => email.send(message), isMailAway).catch(rethrowRefused),
  }
}

/** Without a connection nothing was sent, so a soon repetition cannot arrive twice. */
function rethrowRefused(error: unknown): never {
  const { syscall, message } = error as NodeJS.ErrnoException
  throw syscall === 'connect' ? new UnreachableError(message, SECOND_MS) : error
}

const isMailAway: IsFailure<void> = (outcome) => {
  if (!('error' in outcome)) return false
  const { code, name } = outcome.error as NodeJS.ErrnoException
  return MAIL_SERVER_AWAY.has(code ?? '') || name === 'AbortError' || name === 'TimeoutError'
}

async function startCaptcha(
  { captcha, tokenKey }: Config,
  context: ProviderContext,
  markers: Markers,
): Promise<Captcha | null> {
  if (!captcha) return null
  // A separate key, so that captcha signatures reveal nothing about the token key.
  const signingKey = Buffer.from(hkdfSync('sha256', tokenKey, '', 'pennant captcha', 32))
  const captchaContext: CaptchaContext = { ...context, markers, signingKey }
  return await captcha.provider.start(captchaContext)
}
