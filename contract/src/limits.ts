import { HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts'

/** A token bucket: starts full with `burst` tokens, gains one every `windowMs / burst` milliseconds. */
interface Size {
  readonly burst: number
  readonly windowMs: number
}

/** What a bucket counts by. */
export type LimitKey =
  | 'address'
  | 'team'
  | 'person'
  | 'API token'
  | 'team and challenge'
  | 'email address'
  | 'worker key'
  | 'device code'

export interface Limit extends Size {
  readonly key: LimitKey
  readonly protects: string
  /**
   * Each process counts separately, because the limit protects its processor; all callers together have a
   * second bucket of this burst.
   */
  readonly processBurst?: number
}

const limit = (key: LimitKey, [burst, windowMs]: readonly [number, number], protects: string): Limit => ({
  key,
  burst,
  windowMs,
  protects,
})

/**
 * Every rate limit. Routes that name the same limit share its buckets. Clients rely on the sizes of
 * `flagSubmissions`, `profileNames`, `avatarChanges`, `botJobs` and `leaderboardSearches`
 * (docs/reference/requests-and-responses.md#rate-limits). The others are far above what a university behind
 * one address or a team of fifty needs, and far below what harms other users.
 */
export const limits = {
  publicReads: limit('address', [3000, MINUTE_MS], 'processor time, when clients reconnect in a loop'),
  signIns: limit('address', [1000, MINUTE_MS], 'secrets against guessing, and signature checks'),
  registrations: limit('address', [300, 5 * MINUTE_MS], 'new teams and verification mail'),
  outsideCalls: limit('address', [300, 5 * MINUTE_MS], 'mail, and calls of the ranking site'),
  deviceRequests: limit('address', [60, 10 * MINUTE_MS], 'the store of requests of programs'),
  devicePolls: limit('device code', [2, 10 * SECOND_MS], 'queries, against a program that polls in a loop'),
  deviceCodes: limit('team', [20, 5 * MINUTE_MS], 'codes of programs against guessing'),
  mailsToAddress: limit('email address', [10, HOUR_MS], 'mailboxes against floods'),
  teamReads: limit('team', [1200, MINUTE_MS], 'queries, and calls of instancers'),
  teamWrites: limit('team', [120, MINUTE_MS], 'the change lock, and calls of instancers'),
  accountChanges: limit('team', [20, 5 * MINUTE_MS], 'mail, the change lock, and the organisers'),
  personCalls: limit('person', [600, MINUTE_MS], 'queries'),
  personChanges: limit('person', [30, 5 * MINUTE_MS], 'join links against guessing, and the change lock'),
  recoveryCodes: limit('person', [10, HOUR_MS], 'recovery codes against guessing'),
  profileNames: limit('team', [3, 3 * MINUTE_MS], 'the scoreboard against flickering names'),
  avatarChanges: limit('team', [2, 2 * MINUTE_MS], 'picture decoding and moderation'),
  flagSubmissions: limit('team and challenge', [5, 25 * SECOND_MS], 'flags against guessing, and writes'),
  botJobs: limit('team and challenge', [1, 10 * SECOND_MS], 'the admin bot'),
  organiserCalls: limit('team', [6000, MINUTE_MS], 'queries, and the change lock'),
  organiserFiles: limit('team', [600, MINUTE_MS], 'files and pictures'),
  organiserJobs: limit(
    'team',
    [40, 10 * MINUTE_MS],
    'archives, exports, pictures of other sites, and test messages',
  ),
  apiTokenCalls: limit('API token', [600, MINUTE_MS], 'everything against a program that calls in a loop'),
  agentCalls: limit('team', [300, MINUTE_MS], 'everything against agents that call in a loop'),
  workerCalls: limit('worker key', [6000, MINUTE_MS], 'the queue of the admin bot'),
  leaderboardSearches: limit('address', [3, 3 * SECOND_MS], 'a search through all teams'),
  pageRenders: {
    ...limit('address', [100, 5 * SECOND_MS], 'processor time, for pages that are not in a cache'),
    processBurst: 400,
  },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof limits

export const limitOf = (name: LimitName): Limit => limits[name]

/** All limits of a route, whoever applies them. */
export function limitsOf(route: {
  readonly limits: readonly LimitName[]
  readonly handlerLimits?: readonly LimitName[]
}): LimitName[] {
  return [...route.limits, ...(route.handlerLimits ?? [])]
}

/** Stricter limits on mail and consent, which a deployment turns on with `rateLimits`. */
export const strictLimits = {
  registerIp: { burst: 20, windowMs: 10 * MINUTE_MS },
  registerEmail: { burst: 2, windowMs: HOUR_MS },
  recoverIp: { burst: 5, windowMs: 25 * MINUTE_MS },
  recoverEmail: { burst: 2, windowMs: HOUR_MS },
  setEmail: { burst: 3, windowMs: 15 * MINUTE_MS },
  externalAuthorize: { burst: 5, windowMs: 50 * SECOND_MS },
} as const satisfies Readonly<Record<string, Size>>

export type StrictLimitName = keyof typeof strictLimits
