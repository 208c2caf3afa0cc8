import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { createTokens } from '../../server/src/features/people/accounts/tokens.ts'
import { startContest, testTokenKey, type Contest, type Member } from '../../server/test/harness.ts'
import { generate, PAST_MS } from '../../tools/seed/large/generate.ts'
import { loadRows } from '../../tools/seed/large/load.ts'
import { rankedSet } from '../../tools/seed/large/sets.ts'
import type { Site } from './harness.ts'

const siteDirectory = fileURLToPath(new URL('../dist', import.meta.url))

export const bigBoard = {
  teams: 10_000,
  /** Rank of the viewer's team, `Own Crew`. */
  place: 5000,
}

/** The configuration that the site must be opened with. */
export const bigBoardConfig = { divisions: { open: 'Open', student: 'Students' } }

/** `Crew n` has rank n; teams with even numbers are students. No one has solved the last of 24 challenges. */
export async function fillBoard({
  contest,
}: Site): Promise<{ readonly contest: Contest; readonly own: Member }> {
  const { clock, database, db } = contest
  const now = clock.now()
  const generated = generate(rankedSet(bigBoard.teams, 24))
  await loadRows(generated, { databaseUrl: database.url, now })
  const id = generated.teamIds[bigBoard.place - 1] ?? ''
  await db.query(sql`update teams set name = 'Own Crew' where id = ${id}`)
  const tokens = createTokens({ key: testTokenKey, now: clock.now, loginTimeoutMs: DAY_MS })
  // A second process loads everything at its start instead of following each row.
  const config = { ...bigBoardConfig, startTime: now - PAST_MS, endTime: now + DAY_MS }
  return {
    contest: await startContest({ beside: contest, siteDirectory, config }),
    own: { id, token: tokens.issueAuth(id) },
  }
}
