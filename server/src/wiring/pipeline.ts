import { LRUCache } from 'lru-cache'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import type { SecondFactorRole } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Config } from '../config/config.ts'
import { apiTokenCaller } from '../features/people/api-tokens/authenticate.ts'
import { isApiToken } from '../features/people/api-tokens/secret.ts'
import { createUseRecorder } from '../features/people/api-tokens/uses.ts'
import { endedClientRows } from '../features/people/external-auth/rows.ts'
import { isVoid, type OpenedToken } from '../features/people/accounts/tokens.ts'
import { hasSecondFactor, permissionsOf } from '../features/people/persons/permissions.ts'
import { isOwnTokenRefused } from '../features/people/teams/token-validity.ts'
import { pagesToAccept } from '../features/site/pages/rules.ts'
import { countLookups } from '../lib/cache-counts.ts'
import { mayUseCaches } from '../lib/caching.ts'
import type { BodyBudget } from '../http/request/body-budget.ts'
import { endedSessionRows, personRows, type PersonRow } from '../features/people/persons/rows.ts'
import type { Actor, Caller, PersonActor } from '../http/handler.ts'
import { createSessionUse } from '../features/people/sign-in/session-use.ts'
import { createPublicDemoGate } from '../http/decide/public-demo.ts'
import type { CaptchaGate, PipelineDeps } from '../http/decide/steps.ts'
import { createProxyTrust } from '../http/request/proxy-trust.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AdminBot } from '../providers/admin-bot/admin-bot.ts'
import type { Captcha } from '../providers/captcha/captcha.ts'
import type { TeamRow, WorldView } from '../world/model.ts'
import type { Stores } from './stores.ts'

type PeopleMode = Config['people']['mode']

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
  const { world, now, log, limiter, visibility } = stores
  return {
    now,
    log,
    eventWindow: world,
    authenticate: authenticator(stores, config),
    onApiToken: createUseRecorder(stores),
    maySee: visibility.maySee,
    ...(config.publicDemo && { publicDemo: createPublicDemoGate(now) }),
    ...(stores.tracing && { tracing: stores.tracing }),
    pagesToAccept: (teamId) => pagesToAccept(world(), teamId),
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
function authenticator(
  { db, log, tokens, world, follower, now }: Stores,
  { people: { mode, organiserSessionLife }, organisers: { secondFactor: demanded } }: Config,
): PipelineDeps['authenticate'] {
  const recordUse = createSessionUse({ db, log, now })
  const known = new LRUCache<string, OpenedToken>({ maxSize: MAX_OPENED, sizeCalculation: () => 1 })
  const countLookup = countLookups('opened tokens', MAX_OPENED)
  const apiToken = apiTokenCaller({ world, now, caughtUp: () => follower.catchUp(), demanded })

  function open(token: string): OpenedToken | null {
    const found = mayUseCaches() ? known.get(token) : undefined
    countLookup(found !== undefined)
    if (found) return found
    const opened = tokens.open(token, ['auth', 'external', 'local', 'person'])
    if (opened) known.set(token, opened)
    return opened
  }

  return (token) => {
    if (isApiToken(token)) return apiToken(token)
    const opened = open(token)
    if (!opened) return null
    const caller = callerOf(opened, world(), { now: now(), mode, demanded })
    // An unknown team or person may have registered through another process a moment ago.
    return caller === 'unknown'
      ? follower
          .catchUp()
          .then(() => admitted(opened, callerOf(opened, world(), { now: now(), mode, demanded })))
      : admitted(opened, caller)
  }

  /** The session may be older than the person's place in a team of organisers. */
  function admitted({ issuedAt }: OpenedToken, caller: Caller | null | 'unknown'): Caller | null {
    if (caller === 'unknown' || caller === null) return null
    const { team, person } = caller
    if (person === null) return caller
    const isOrganiser = team !== null && (team.perms | (team.withheld ?? 0)) !== 0
    if (isOrganiser && issuedAt + organiserSessionLife <= now()) return null
    recordUse(person.sessionId)
    return caller
  }
}

interface Circumstances {
  readonly now: number
  readonly mode: PeopleMode
  readonly demanded: readonly SecondFactorRole[]
}

function callerOf(
  opened: OpenedToken,
  world: WorldView,
  circumstances: Circumstances,
): Caller | null | 'unknown' {
  const { now, mode, demanded } = circumstances
  if (opened.kind === 'person') return mode === 'off' ? null : callerOfSession(opened, world, circumstances)
  if (!('teamId' in opened)) return null
  const team = world.team(opened.teamId)
  if (!team) return 'unknown'
  const isExternal = opened.kind === 'external'
  if (isVoid(opened, team)) return null
  if (!isExternal && isOwnTokenRefused(team, mode === 'required')) return null
  if (opened.kind === 'external' && hasEnded(opened, world)) return null
  const isConfirmed = opened.kind === 'local'
  if (isConfirmed && opened.expiresAt <= now) return null
  const { id, banned } = team
  const held = permissionsOf(team, { person: null, isConfirmed }, demanded)
  const actor = {
    id,
    banned,
    isExternal,
    ...(isExternal ? { perms: 0 } : { ...held, isConfirmed }),
    tokenIssuedAt: opened.issuedAt,
    person: null,
  }
  return { team: actor, person: null }
}

/** The site was deleted together with its tokens. */
function hasEnded({ clientId }: { readonly clientId?: string }, world: WorldView): boolean {
  return clientId !== undefined && world.rows(endedClientRows).has(clientId)
}

type OpenedSession = Extract<OpenedToken, { readonly kind: 'person' }>

function callerOfSession(
  session: OpenedSession,
  world: WorldView,
  { now, demanded }: Circumstances,
): Caller | null | 'unknown' {
  const { personId, sessionId, methods, issuedAt, expiresAt } = session
  const row = world.rows(personRows).find(personId)
  if (!row) return 'unknown'
  if (expiresAt <= now || issuedAt < row.sessionsValidFrom) return null
  if (world.rows(endedSessionRows).has(sessionId)) return null
  const { id, name, teamId, isCaptain } = row
  const person = { id, name, teamId, isCaptain, sessionId, methods }
  const team = teamId === null ? undefined : world.team(teamId)
  return { team: team ? actorOf(team, { row, person, issuedAt }, demanded) : null, person }
}

interface ActingPerson {
  readonly row: PersonRow
  readonly person: PersonActor
  readonly issuedAt: number
}

function actorOf(
  team: TeamRow,
  { row, person, issuedAt }: ActingPerson,
  demanded: readonly SecondFactorRole[],
): Actor {
  const { id, banned, tokensValidFrom } = team
  const isConfirmed = hasSecondFactor(person.methods)
  return {
    id,
    ...permissionsOf(team, { person: row, isConfirmed }, demanded),
    isConfirmed,
    banned,
    isExternal: false,
    // The session has its own end, so it is not older than what voided the tokens of the team.
    tokenIssuedAt: Math.max(issuedAt, tokensValidFrom),
    person,
  }
}
