import type { Edit } from './build.ts'

export type Guard =
  | 'auth'
  | 'permission'
  | 'gate'
  | 'ownership'
  | 'visibility'
  | 'rate limit'
  | 'signature'
  | 'content'
  | 'resources'

/** One removed guard and the self-test checks that must detect it. */
export interface Mutant extends Edit {
  readonly name: string
  readonly guard: Guard
  readonly caughtBy: readonly string[]
}

const STEPS = 'server/src/http/steps.ts'
const EXTERNAL_AUTH = 'server/src/features/external-auth/routes.ts'
const SIGNATURE = 'server/src/features/feeds/signature.ts'
const PUBLIC_AT = 'return !row.hidden && (row.releaseAt === null || row.releaseAt <= now)'

export const mutants: readonly Mutant[] = [
  {
    name: 'token-kind',
    guard: 'auth',
    file: 'server/src/wiring/pipeline.ts',
    find: "tokens.open(token, ['auth', 'external'])",
    replace: "tokens.open(token, ['auth', 'external', 'team'])",
    caughtBy: ['token-kinds'],
  },
  {
    name: 'signed-out-tokens',
    guard: 'auth',
    file: 'server/src/wiring/pipeline.ts',
    find: 'if (!team || isVoid(opened, team)) return null',
    replace: 'if (!team || !isVoid) return null',
    caughtBy: ['signed-out-tokens'],
  },
  {
    name: 'external-permissions',
    guard: 'permission',
    file: 'server/src/wiring/pipeline.ts',
    find: 'perms: isExternal ? 0 : perms',
    replace: 'perms',
    caughtBy: ['delegated-permissions'],
  },
  {
    name: 'token-tag',
    guard: 'auth',
    file: 'server/src/lib/sealer.ts',
    find: 'decipher.final()\n',
    replace: '\n',
    caughtBy: ['token-kinds'],
  },
  {
    name: 'service-token',
    guard: 'auth',
    file: STEPS,
    find: 'token !== null && isService(token) ? null',
    replace: 'token !== null ? null',
    caughtBy: ['service-routes'],
  },
  {
    name: 'permission-bits',
    guard: 'permission',
    file: STEPS,
    find: 'if (!hasPermissions(team.perms, perms)) return',
    replace: 'if (perms.length > 9) return',
    caughtBy: ['permissions'],
  },
  {
    name: 'permission-of-one-route',
    guard: 'permission',
    file: 'contract/src/admin-teams.ts',
    find: "perms: ['challsRead', 'usersWrite'],",
    replace: "perms: ['usersWrite'],",
    caughtBy: ['permissions'],
  },
  {
    name: 'banned-teams',
    guard: 'permission',
    file: STEPS,
    find: 'return route.notBanned && team.banned ?',
    replace: 'return route.notBanned && team.banned && perms.length > 9 ?',
    caughtBy: ['permissions'],
  },
  {
    name: 'gate-before-start',
    guard: 'gate',
    file: STEPS,
    find: 'if (at < startTime && !may(team, started))',
    replace: 'if (at < 0 && !may(team, started))',
    caughtBy: ['gates'],
  },
  {
    name: 'gate-after-end',
    guard: 'gate',
    file: STEPS,
    find: 'if (beforeEnd && at >= endTime && !may(team, beforeEnd))',
    replace: 'if (beforeEnd && at >= Infinity && !may(team, beforeEnd))',
    caughtBy: ['gates'],
  },
  {
    name: 'member-of-another-team',
    guard: 'ownership',
    file: 'server/src/features/teams/members.ts',
    find: 'sql`delete from members where id = ${id} and team_id = ${teamId}`',
    replace: 'sql`delete from members where id = ${id} and ${teamId}::text is not null`',
    caughtBy: ['ownership'],
  },
  {
    name: 'client-secret',
    guard: 'ownership',
    file: EXTERNAL_AUTH,
    find: '!client || !isSecret(clientSecret, client.secretHash)',
    replace: '!client || !isSecret',
    caughtBy: ['one-time-codes'],
  },
  {
    name: 'redirect-address',
    guard: 'ownership',
    file: EXTERNAL_AUTH,
    find: '!client || client.redirectUri !== redirectUri',
    replace: '!client',
    caughtBy: ['one-time-codes'],
  },
  {
    name: 'code-used-twice',
    guard: 'ownership',
    file: 'server/src/features/external-auth/codes.ts',
    find: 'await markers.take(keyOf(code))',
    replace: 'await markers.find(keyOf(code))',
    caughtBy: ['one-time-codes'],
  },
  {
    name: 'hidden-challenges',
    guard: 'visibility',
    file: 'server/src/world/values.ts',
    find: PUBLIC_AT,
    replace: 'return row.releaseAt === null || row.releaseAt <= now',
    caughtBy: ['crawl'],
  },
  {
    name: 'unreleased-challenges',
    guard: 'visibility',
    file: 'server/src/world/values.ts',
    find: PUBLIC_AT,
    replace: 'return !row.hidden || now < 0',
    caughtBy: ['crawl'],
  },
  {
    name: 'hidden-by-id',
    guard: 'visibility',
    file: 'server/src/features/challenges/rules.ts',
    find: 'return challenge?.isPublic ? challenge : null',
    replace: 'return challenge ?? null',
    caughtBy: ['existence'],
  },
  {
    name: 'hidden-submissions',
    guard: 'visibility',
    file: 'server/src/features/submissions/rules.ts',
    find: 'findPublicChallenge(world, id, caller)',
    replace: 'world.challenge(id)',
    caughtBy: ['existence'],
  },
  {
    name: 'empty-buckets',
    guard: 'rate limit',
    file: 'server/src/lib/buckets.ts',
    find: 'if (step.waitMs > 0) return step.waitMs',
    replace: 'if (step.waitMs > Infinity) return step.waitMs',
    caughtBy: ['flag-rate', 'rate-limit-identity'],
  },
  {
    name: 'chosen-address',
    guard: 'rate limit',
    file: 'server/src/http/proxy-trust.ts',
    find: 'hop < MAX_HOPS && isTrusted(address, hop)',
    replace: 'hop < MAX_HOPS && (hop === 0 || isTrusted(address, hop))',
    caughtBy: ['client-address', 'rate-limit-identity'],
  },
  {
    name: 'webhook-signature',
    guard: 'signature',
    file: SIGNATURE,
    find: 'return secret !== null && (isPlain || isBound) ? plain : null',
    replace: 'return secret !== null && isPlain !== null && isBound !== null ? plain : null',
    caughtBy: ['webhook-signature'],
  },
  {
    name: 'webhook-timestamp',
    guard: 'signature',
    file: SIGNATURE,
    find: '|| Math.abs(now() - Number(timestamp)) > MAX_SKEW_MS',
    replace: '|| now() < MAX_SKEW_MS',
    caughtBy: ['webhook-signature'],
  },
  {
    name: 'upload-as-page',
    guard: 'content',
    file: 'server/src/features/uploads/plugin.ts',
    find: "    'content-disposition': attachment(name),\n",
    replace: '',
    caughtBy: ['uploads'],
  },
  {
    name: 'upload-as-script',
    guard: 'content',
    file: 'server/src/features/uploads/media-types.ts',
    find: "'.js': 'text/plain; charset=utf-8'",
    replace: "'.js': 'text/javascript; charset=utf-8'",
    caughtBy: ['uploads'],
  },
  {
    name: 'deep-paths',
    guard: 'resources',
    file: 'server/src/features/challenge-archive/paths.ts',
    find: 'if (parts.length > MAX_PATH_PARTS)',
    replace: 'if (parts.length > MAX_PATH_PARTS * 100)',
    caughtBy: ['documents'],
  },
  {
    name: 'slow-patterns',
    guard: 'resources',
    file: 'server/src/providers/flags/regex.ts',
    find: 'for (const text of worstCases(pattern))',
    replace: 'for (const text of worstCases(pattern).slice(0, 0))',
    caughtBy: ['slow-patterns'],
  },
  {
    name: 'webhook-secret-for-readers',
    guard: 'visibility',
    file: 'server/src/features/challenges/readable.ts',
    find: "hasPermissions(perms, ['challsWrite'])) return row",
    replace: 'perms > 0) return row',
    caughtBy: ['crawl'],
  },
  {
    name: 'messages-of-other-sites',
    guard: 'visibility',
    file: 'server/src/features/stream/render.ts',
    find: 'kind.ownTokenOnly && receiver.isExternal',
    replace: 'kind.ownTokenOnly && receiver.perms > 99',
    caughtBy: ['messages-of-other-sites'],
  },
  {
    name: 'body-caps',
    guard: 'rate limit',
    file: 'server/src/http/body-caps.ts',
    find: 'return Math.min(needed, caps[bodyCap])',
    replace: 'return Math.max(needed, caps[bodyCap])',
    caughtBy: ['body-sizes'],
  },
  {
    name: 'flag-limit-after-body',
    guard: 'rate limit',
    file: STEPS,
    find: 'if (limitHead) steps.push',
    replace: 'if (limitHead && !route.body) steps.push',
    caughtBy: ['limit-before-body'],
  },
  {
    name: 'csv-cells',
    guard: 'content',
    file: 'server/src/lib/csv.ts',
    find: '(^|[;',
    replace: '(^|[',
    caughtBy: ['csv-cells'],
  },
]
