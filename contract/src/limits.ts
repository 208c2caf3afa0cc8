import { HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts'

/** A token bucket: starts full with `burst` tokens, gains one every `windowMs / burst` milliseconds. */
interface Size {
  readonly burst: number
  readonly windowMs: number
}

/** What a bucket counts by. `process`: all callers of one process together. */
export type LimitKey = 'address' | 'team' | 'team and challenge' | 'email address' | 'worker key' | 'process'

export interface Limit extends Size {
  readonly key: LimitKey
  /**
   * `request`: the pipeline takes a token for every request, after the token, the permissions and the gate were
   * checked and before the body is read. Otherwise the endpoint takes it, in the described case.
   */
  readonly taken: 'request' | string
  readonly protects: string
  /** Each process counts separately, because the limit protects its CPU. */
  readonly isPerProcess?: true
}

const address = (size: Size, protects: string): Limit => ({
  ...size,
  key: 'address',
  taken: 'request',
  protects,
})
const team = (size: Size, protects: string): Limit => ({ ...size, key: 'team', taken: 'request', protects })

/**
 * Every rate limit. Routes that name the same limit share its buckets. Clients rely on the sizes of
 * `flagSubmissions`, `profileNames`, `avatarChanges` and `botJobs`
 * (docs/reference/requests-and-responses.md#rate-limits). The others are far above what a university behind
 * one address or a team of fifty needs, and far below what harms other users.
 */
export const limits = {
  registrations: address({ burst: 300, windowMs: 5 * MINUTE_MS }, 'new teams and verification mail'),
  signIns: address({ burst: 1000, windowMs: MINUTE_MS }, 'sign-in and verification links'),
  recoveries: address({ burst: 120, windowMs: 10 * MINUTE_MS }, 'recovery mail'),
  rankingSiteSignIns: address({ burst: 300, windowMs: 5 * MINUTE_MS }, 'calls of the ranking site'),
  standingsFeeds: address({ burst: 60, windowMs: MINUTE_MS }, 'guesses of the key, and processor time'),
  externalAuth: address({ burst: 1200, windowMs: MINUTE_MS }, 'queries for external sites and their codes'),
  scorePushes: address({ burst: 1200, windowMs: MINUTE_MS }, 'signature checks and score changes'),
  analyticsScripts: address({ burst: 1000, windowMs: MINUTE_MS }, 'calls of the analytics provider'),
  streamOpens: address(
    { burst: 3000, windowMs: MINUTE_MS },
    'processor time, when clients reconnect in a loop',
  ),
  statisticsReads: address({ burst: 300, windowMs: MINUTE_MS }, 'processor time for tables'),
  accountChanges: team({ burst: 30, windowMs: 5 * MINUTE_MS }, 'mail and the change lock'),
  signOuts: team({ burst: 3, windowMs: 3 * MINUTE_MS }, 'the change lock, and sessions of the other members'),
  members: team({ burst: 120, windowMs: MINUTE_MS }, 'writes of member lists'),
  teamReads: team({ burst: 1200, windowMs: MINUTE_MS }, 'queries and calls of instancers'),
  hintPurchases: team({ burst: 120, windowMs: MINUTE_MS }, 'the change lock'),
  teamMessages: team({ burst: 10, windowMs: 5 * MINUTE_MS }, 'the organisers, and the change lock'),
  consents: team({ burst: 60, windowMs: MINUTE_MS }, 'queries and sign-in codes'),
  avatarForms: team({ burst: 20, windowMs: 2 * MINUTE_MS }, 'upload bandwidth and temporary files'),
  instanceActions: team({ burst: 120, windowMs: MINUTE_MS }, 'calls of instancers'),
  organiserReads: team({ burst: 3000, windowMs: MINUTE_MS }, 'queries'),
  organiserWrites: team({ burst: 3000, windowMs: MINUTE_MS }, 'writes and the change lock'),
  diagnoses: team({ burst: 10, windowMs: 10 * MINUTE_MS }, 'calls of other services and test messages'),
  organiserFiles: team({ burst: 600, windowMs: MINUTE_MS }, 'files and pictures'),
  challengeArchives: team({ burst: 40, windowMs: 10 * MINUTE_MS }, 'files, and processor time for archives'),
  contestImports: team({ burst: 20, windowMs: 10 * MINUTE_MS }, 'processor time, the database and files'),
  actionExports: team({ burst: 20, windowMs: 10 * MINUTE_MS }, 'queries, and bandwidth'),
  workerCalls: {
    burst: 6000,
    windowMs: MINUTE_MS,
    key: 'worker key',
    taken: 'request',
    protects: 'the queue of the admin bot',
  },
  flagSubmissions: {
    burst: 5,
    windowMs: 25 * SECOND_MS,
    key: 'team and challenge',
    taken: 'before the body is read, for a challenge that the team may solve',
    protects: 'flags against guessing, and writes',
  },
  botJobs: {
    burst: 1,
    windowMs: 10 * SECOND_MS,
    key: 'team and challenge',
    taken: 'once the challenge is known, before the inputs are checked',
    protects: 'the admin bot',
  },
  profileNames: {
    burst: 3,
    windowMs: 3 * MINUTE_MS,
    key: 'team',
    taken: 'for a request that carries a name',
    protects: 'the scoreboard against flickering names',
  },
  profileChanges: {
    burst: 20,
    windowMs: 2 * MINUTE_MS,
    key: 'team',
    taken: 'for a request that changes something; an unchanged profile is returned from memory',
    protects: 'the change lock',
  },
  avatarChanges: {
    burst: 2,
    windowMs: 2 * MINUTE_MS,
    key: 'team',
    taken: 'once the size of the file was checked',
    protects: 'picture decoding and moderation',
  },
  mailsToAddress: {
    burst: 10,
    windowMs: HOUR_MS,
    key: 'email address',
    taken: 'before mail is queued; a recovery beyond it is answered as usual and sends no mail',
    protects: 'mailboxes against floods',
  },
  leaderboardSearches: {
    burst: 3,
    windowMs: 3 * SECOND_MS,
    key: 'address',
    taken: 'for a request with `search`',
    protects: 'a search through all teams',
  },
  pageRenders: {
    burst: 100,
    windowMs: 5 * SECOND_MS,
    key: 'address',
    taken: 'when a page that is neither a first page nor a single row is not in the cache',
    protects: 'processor time',
    isPerProcess: true,
  },
  pageRendersTotal: {
    burst: 400,
    windowMs: 5 * SECOND_MS,
    key: 'process',
    taken: 'together with `pageRenders`',
    protects: 'processor time against many addresses',
    isPerProcess: true,
  },
  replayRenders: {
    burst: 100,
    windowMs: 10 * SECOND_MS,
    key: 'address',
    taken: 'when the standings of a time are not in the cache',
    protects: 'processor time: each sorts all teams',
    isPerProcess: true,
  },
  replayRendersTotal: {
    burst: 200,
    windowMs: 10 * SECOND_MS,
    key: 'process',
    taken: 'together with `replayRenders`',
    protects: 'processor time against many addresses',
    isPerProcess: true,
  },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof limits

export const limitOf = (name: LimitName): Limit => limits[name]
