import type { CaptchaAction } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Config } from '../config/config.ts'
import type { Actor } from '../http/handler.ts'
import type { CaptchaGate, PipelineDeps } from '../http/pipeline.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AdminBot } from '../providers/admin-bot/admin-bot.ts'
import type { Captcha } from '../providers/captcha/captcha.ts'
import type { Stores } from './stores.ts'

const KIB = 1024
const MIB = 1024 * KIB

interface GateDeps {
  readonly captcha: Captcha | null
  readonly adminBot: AdminBot | null
  readonly metrics: Metrics
}

/** What the request pipeline knows of this deployment. */
export function pipelineDeps(
  config: Config,
  stores: Stores,
  { captcha, adminBot, metrics }: GateDeps,
): PipelineDeps {
  const { world, now, log } = stores
  return {
    now,
    log,
    eventWindow: world,
    authenticate: authenticator(stores),
    isService: adminBot && ((token) => adminBot.isWorker(token)),
    captcha: captchaGate(config, captcha),
    maxima: config.leaderboard,
    bodyCaps: bodyCaps(config),
    proxy: config.proxy,
    onAnswer: (route, kind) => {
      if (kind === 'badRateLimit') metrics.rateLimited(route.path)
      if (route === submitFlag) countSubmission(metrics, kind)
    },
  }
}

const RESULTS: Readonly<Record<string, string>> = {
  goodFlag: 'correct',
  badFlag: 'incorrect',
  badAlreadySolvedChallenge: 'already_solved',
}

function countSubmission(metrics: Metrics, kind: string): void {
  const result = RESULTS[kind]
  if (result === undefined) return
  metrics.submissionJudged(result)
  if (kind === 'goodFlag') metrics.solveRecorded()
}

export function captchaGate(config: Config, captcha: Captcha | null): CaptchaGate {
  const protectedActions = new Set<CaptchaAction>(config.captcha?.protectedEndpoints)
  return {
    isProtected: (action) => protectedActions.has(action),
    // Protected without a working provider is refused, never let through.
    verify: async (code, ip) => (captcha && code ? await captcha.verify(code, ip) : false),
  }
}

/** Contract, participant 1.5. */
export function bodyCaps(config: Config): PipelineDeps['bodyCaps'] {
  return {
    json: MIB,
    admin: 8 * MIB,
    webhook: 8 * MIB,
    upload: config.maxRequestBodySize,
    // Text that is read whole: larger files come as forms, piece by piece.
    jsonUpload: Math.min(config.maxRequestBodySize, 64 * MIB),
    avatar: config.maxAvatarSize + 64 * KIB,
  }
}

function authenticator({ tokens, world, follower }: Stores): PipelineDeps['authenticate'] {
  return async (token) => {
    const opened = tokens.open(token, ['auth'])
    if (!opened) return null
    const known = world().team(opened.teamId)
    if (known) return known satisfies Actor
    // Perhaps it registered at another process a moment ago.
    await follower.catchUp()
    return world().team(opened.teamId) ?? null
  }
}
