import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { codeOf, isWorthRetrying } from '../../db/failures.ts'
import type { Queries } from '../../db/database.ts'
import { UnavailableError } from '../../lib/errors.ts'

/** One evaluated flag on its way into the database. Its ids are made by us, so that it can be sent twice. */
export interface Submission {
  readonly id: string
  /** The id of the solve that it becomes; null when no flag accepted it. */
  readonly solveId: string | null
  readonly challengeId: string
  readonly teamId: string
  readonly ip: string
  /** The instant that its solve is not dated after: the end, for who was let in before it. Null for no such bound. */
  readonly notAfter: number | null
  /** What the audit keeps (contract, admin B.5). */
  readonly details: { readonly submittedFlag: string }
}

export type Outcome = 'correct' | 'already_solved' | 'incorrect' | 'banned' | 'no_team' | 'no_challenge'

/** With the pauses between them about two seconds: a database that restarts is back by then. */
const MAX_TRIES = 6
const FIRST_PAUSE_MS = 50

/** More than the function's own wait for the change lock. A host that is gone is asked anew after it. */
const LIMITS = { answerTimeoutMs: 12_000 }

/** A challenge or team was deleted between the look-up and the insert. The next try sees that it is gone. */
const GONE_MEANWHILE = '23503'

/**
 * Commits the submissions together and tells what became of each, in their order. Sending them again is harmless, so
 * a connection that breaks before the answer is no failure yet.
 */
export async function submitAll(db: Queries, submissions: readonly Submission[]): Promise<Outcome[]> {
  for (let count = 1; ; count++) {
    try {
      return await submitOnce(db, submissions)
    } catch (error) {
      if (!isWorthSending(error)) throw error
      if (count === MAX_TRIES) throw new UnavailableError('submissions could not be stored', { cause: error })
    }
    await delay(FIRST_PAUSE_MS * 2 ** (count - 1))
  }
}

function isWorthSending(error: unknown): boolean {
  return error instanceof UnavailableError || isWorthRetrying(error) || codeOf(error) === GONE_MEANWHILE
}

async function submitOnce(db: Queries, submissions: readonly Submission[]): Promise<Outcome[]> {
  const column = <T>(read: (submission: Submission) => T) => submissions.map(read)
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    sql`
    select submit_batch(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ solveId }) => solveId)}::uuid[],
      ${column(({ challengeId }) => challengeId)}::text[],
      ${column(({ teamId }) => teamId)}::text[],
      ${column(({ ip }) => ip)}::text[],
      ${column(({ details }) => JSON.stringify(details))}::text[],
      ${column(({ notAfter }) => notAfter && new Date(notAfter))}::timestamptz[]
    ) as outcomes`,
    LIMITS,
  )
  return row?.outcomes ?? []
}
