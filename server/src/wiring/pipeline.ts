import { LRUCache } from 'lru-cache'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Config } from '../config/config.ts'
import { isVoid, type OpenedToken } from '../features/people/accounts/tokens.ts'
import { countLookups } from '../lib/cache-counts.ts'
import { mayUseCaches } from '../lib/caching.ts'
import type { BodyBudget } from '../http/request/body-budget.ts'
import type { Actor } from '../http/handler.ts'
import { createPublicDemoGate } from '../http/decide/public-demo.ts'
import type { CaptchaGate, PipelineDeps } from '../http/decide/steps.ts'
import { createProxyTrust } from '../http/request/proxy-trust.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AdminBot } from '../providers/admin-bot/admin-bot.ts'
import type { Captcha } from '../providers/captcha/captcha.ts'
import type { TeamRow } from '../world/model.ts'
import type { Stores } from './stores.ts'

const KIB = 1024
const MIB = 1024 * KIB

interface GateDeps {
  readonly captcha: Captcha | null
  readonly adminBot: AdminBot | null
  readonly metrics: Metrics
  readonly bodyBudget: BodyBudget
}

/** The dependencies of the request pipeline in this deployment. */
export function pipelineDeps(
  config: Config,
  stores: Stores,
  { captcha, adminBot, metrics, bodyBudget }: GateDeps,
): PipelineDeps {
  const { world, now, log, limiter } = stores
  return {
    now,
    log,
    eventWindow: world,
    authenticate: authenticator(stores),
    ...(config.publicDemo && { publicDemo: createPublicDemoGate(now) }),
    ...(stores.tracing && { tracing: stores.tracing }),
    isService: adminBot && ((token) => adminBot.isWorker(token)),
    limiter,
    captcha: captchaGate(config, captcha),
    maxima: config.leaderboard,
    bodyCaps: bodyCaps(config),
    proxy: createProxyTrust(config.proxy),
    bodyBudget,
    onBodyRefused: metrics.bodyRefused,
    onAlias: metrics.aliasUsed,
    onReply: (route, kind) => {
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
    // Without a working provider a protected action is refused, never allowed.
    verify: async (code, ip) => (captcha && code ? await captcha.verify(code, ip) : false),
  }
}

/**
 * docs/reference/requests-and-responses.md#body-size-limits
 * Joining the chunks of a body takes twice its size of the budget.
 */
export function bodyCaps(config: Config): PipelineDeps['bodyCaps'] {
  return {
    json: MIB,
    account: 16 * KIB,
    admin: 8 * MIB,
    webhook: 8 * MIB,
    upload: config.maxRequestBodySize,
    // The body is buffered as a whole; larger files use forms, which are streamed.
    jsonUpload: Math.min(config.maxRequestBodySize, 64 * MIB, config.http.bodyBudgetBytes / 2),
    avatar: config.maxAvatarSize + 64 * KIB,
  }
}

/** Tokens whose contents are kept: about 10 MB. As a size, because the memory for a `max` is allocated at the start. */
const MAX_OPENED = 20_000

/**
 * Only the decryption is remembered. Whether the team exists, is banned or has voided its tokens is asked for each request,
 * so nothing has to be invalidated.
 */
function authenticator({ tokens, world, follower }: Stores): PipelineDeps['authenticate'] {
  const known = new LRUCache<string, OpenedToken>({ maxSize: MAX_OPENED, sizeCalculation: () => 1 })
  const countLookup = countLookups('opened tokens', MAX_OPENED)

  function open(token: string): OpenedToken | null {
    const found = mayUseCaches() ? known.get(token) : undefined
    countLookup(found !== undefined)
    if (found) return found
    const opened = tokens.open(token, ['auth', 'external'])
    if (opened) known.set(token, opened)
    return opened
  }

  return (token) => {
    const opened = open(token)
    if (!opened || !('teamId' in opened)) return null
    const { teamId } = opened
    const team = world().team(teamId)
    if (team) return actorOf(opened, team)
    // An unknown team may have registered through another process a moment ago.
    return follower.catchUp().then(() => actorOf(opened, world().team(teamId)))
  }
}

function actorOf(opened: OpenedToken, team: TeamRow | undefined): Actor | null {
  if (!team || isVoid(opened, team)) return null
  const { kind, issuedAt } = opened
  const { id, perms, banned } = team
  const isExternal = kind === 'external'
  return { id, perms: isExternal ? 0 : perms, banned, isExternal, tokenIssuedAt: issuedAt }
}
