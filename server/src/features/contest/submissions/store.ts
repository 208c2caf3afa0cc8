import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { codeOf, isWorthRetrying } from '../../../db/failures.ts'
import type { Queries } from '../../../db/database.ts'
import type { Acting } from '../../../lib/acting-person.ts'
import { UnavailableError } from '../../../lib/errors.ts'

/** An evaluated flag to be stored. The server generates the ids, so that a retry is idempotent. */
export interface Submission extends Acting {
  readonly id: string
  /** Id of the solve to create; null if the flag was wrong. */
  readonly solveId: string | null
  readonly challengeId: string
  readonly teamId: string
  readonly ip: string
  /**
   * Latest timestamp of the solve: the end of the event for a request admitted before it. Null means no
   * limit.
   */
  readonly notAfter: number | null
  /** What the audit stores: docs/reference/audit.md#audit-rows */
  readonly details: { readonly submittedFlag: string }
}

export type Outcome = 'correct' | 'already_solved' | 'incorrect' | 'banned' | 'no_team' | 'no_challenge'

/** With the pauses, the retries take about three seconds. A restarting database is back by then. */
const MAX_TRIES = 15
const FIRST_PAUSE_MS = 50
/** One statement at a time retries, so this is no load, and all flags of the process wait for the end of the pause. */
const MAX_PAUSE_MS = 200
/** No retry starts later: each can take seconds if a host disappeared, and players should get a response. */
const RETRY_LIMIT_MS = 5_000

/** Longer than the function's own wait for the change lock. After this, an unresponsive host is retried. */
const LIMITS = { queryTimeoutMs: 12_000 }

/**
 * foreign_key_violation: a challenge or team was deleted between lookup and insert. The retry finds it gone.
 */
const GONE_MEANWHILE = '23503'

/**
 * Commits the submissions together and returns their outcomes in the same order. Storing is idempotent, so a
 * connection that breaks before the response is retried.
 */
export async function submitAll(db: Queries, submissions: readonly Submission[]): Promise<Outcome[]> {
  const tooLate = AbortSignal.timeout(RETRY_LIMIT_MS)
  for (let count = 1; ; count++) {
    try {
      return await submitOnce(db, submissions)
    } catch (error) {
      if (!isWorthSending(error)) throw error
      if (count === MAX_TRIES || tooLate.aborted)
        throw new UnavailableError('submissions could not be stored', { cause: error })
    }
    await delay(Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS))
  }
}

function isWorthSending(error: unknown): boolean {
  return error instanceof UnavailableError || isWorthRetrying(error) || codeOf(error) === GONE_MEANWHILE
}

async function submitOnce(db: Queries, submissions: readonly Submission[]): Promise<Outcome[]> {
  const column = <T>(read: (submission: Submission) => T) => submissions.map(read)
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    sql`
    select submit_batch_of_programs(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ solveId }) => solveId)}::uuid[],
      ${column(({ challengeId }) => challengeId)}::text[],
      ${column(({ teamId }) => teamId)}::text[],
      ${column(({ ip }) => ip)}::text[],
      ${column(({ details }) => JSON.stringify(details))}::text[],
      ${column(({ notAfter }) => notAfter && new Date(notAfter))}::timestamptz[],
      ${column(({ personId }) => personId)}::text[],
      ${column(({ apiTokenId }) => apiTokenId)}::text[],
      ${column(({ apiTokenName }) => apiTokenName)}::text[]
    ) as outcomes`,
    LIMITS,
  )
  return row?.outcomes ?? []
}
