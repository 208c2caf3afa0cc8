import { MINUTE_MS } from '@pennant/contract/durations.ts'
import * as fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { challengeRow, solveRow, teamRow } from '../../../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { ChallengeRow, ScoringKind, SolveRow, TeamRow } from '../../../world/model.ts'
import { createWorld } from '../../../world/fold/world.ts'
import { computeReport } from './reports.ts'
import { readWrongFlags } from './store.ts'
import {
  naiveReport,
  naiveWrongFlags,
  type NaiveContest,
  type SubmissionRow,
} from '../../../../test/naive-statistics.ts'
import { adjustmentRows } from '../../contest/adjustments/rows.ts'

// Every figure is compared with a computation that goes through all rows, for generated contests.

const startTime = Date.UTC(2026, 2, 28, 20, 30)

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const at = (length: number) =>
  fc.integer({ min: -90, max: length + 90 }).map((minutes) => startTime + minutes * MINUTE_MS + 1)
const pick = <T>(...values: readonly [T, ...T[]]) => fc.constantFrom(...values)

const contests = fc
  .record({ minutes: pick(7, 45, 600, 2880), now: fc.double({ min: -0.2, max: 1.3, noNaN: true }) })
  .chain(({ minutes, now }) =>
    fc.record({
      endTime: fc.constant(startTime + minutes * MINUTE_MS),
      now: fc.constant(Math.round(startTime + now * minutes * MINUTE_MS)),
      teams: fc.array(
        fc.record({
          banned: pick(false, false, false, true),
          division: pick('open', 'school'),
          countryCode: pick(null, 'DE', 'JP'),
          createdAt: at(minutes),
        }),
        { maxLength: 8 },
      ),
      challenges: fc.array(
        fc.record({
          category: pick('web', 'pwn', 'misc'),
          hidden: pick(false, false, false, true),
          scoringKind: pick<ScoringKind>('decay', 'static', 'dynamic'),
          releaseAt: fc.option(at(minutes)),
          sortWeight: fc.option(fc.integer({ min: 0, max: 2 })),
          pointsMax: pick(100, 100, 300, 500),
        }),
        { maxLength: 8 },
      ),
      // A pair of numbers is a team and a challenge; those beyond the lists were deleted, or, for solves, are skipped.
      solves: fc.uniqueArray(fc.record({ team: fc.nat(8), challenge: fc.nat(8), createdAt: at(minutes) }), {
        maxLength: 40,
        selector: ({ team, challenge }) => `${team} ${challenge}`,
      }),
      submissions: fc.array(
        fc.record({
          team: fc.nat(9),
          challenge: fc.nat(9),
          createdAt: at(minutes),
          // Also correct flags whose solve was removed, and visits of the admin bot.
          result: pick('correct', 'incorrect', 'incorrect', 'already_solved', 'queued'),
          flag: pick('flag{a}', 'flag{b}', 'FLAG{a}', 'x'.repeat(200), 'x'.repeat(201)),
        }),
        { maxLength: 60 },
      ),
      adjustments: fc.array(fc.record({ team: fc.nat(7), points: fc.integer({ min: 1, max: 900 }) }), {
        maxLength: 3,
      }),
    }),
  )

type Generated = typeof contests extends fc.Arbitrary<infer T> ? T : never

function rowsOf({ teams, challenges, solves, submissions, endTime, now }: Generated): NaiveContest {
  const teamId = (index: number) => `team-${index}`
  const challengeId = (index: number) => `challenge-${index}`
  return {
    startTime,
    endTime,
    now,
    teams: teams.map((row, index) => teamRow(teamId(index), row)),
    challenges: challenges.map((row, index) => challengeRow(challengeId(index), row)),
    solves: solves
      .filter(({ team, challenge }) => team < teams.length && challenge < challenges.length)
      .map(({ team, challenge, createdAt }, index) =>
        solveRow(index + 1, { teamId: teamId(team), challengeId: challengeId(challenge), createdAt }),
      ),
    submissions: submissions.map(({ team, challenge, ...row }) => ({
      ...row,
      teamId: teamId(team),
      challengeId: challengeId(challenge),
    })),
  }
}

async function store(contest: NaiveContest, { adjustments }: Generated): Promise<void> {
  const { db } = database
  await db.query(sql`truncate teams, challenges, solves, submissions, score_adjustments cascade`)
  for (const row of contest.teams) await putTeam(row)
  for (const row of contest.challenges) await putChallenge(row)
  for (const row of contest.solves) await putSolve(row)
  for (const row of contest.submissions) await putSubmission(row)
  for (const [index, { team, points }] of adjustments.entries())
    if (team < contest.teams.length)
      await db.query(sql`insert into score_adjustments (id, team_id, points, reason)
        values (${`${index}`}, ${`team-${team}`}, ${points}, 'fair play')`)
}

const putTeam = (row: TeamRow) =>
  database.db.query(sql`insert into teams (id, name, email, division, banned, country_code, created_at)
    values (${row.id}, ${row.name}, ${row.email}, ${row.division}, ${row.banned}, ${row.countryCode}, ${new Date(row.createdAt)})`)
const putChallenge = (row: ChallengeRow) =>
  database.db.query(sql`insert into challenges (id, name, category, hidden, scoring_kind)
    values (${row.id}, ${row.name}, ${row.category}, ${row.hidden}, ${row.scoringKind})`)
const putSolve = (row: SolveRow) =>
  database.db.query(sql`insert into solves (id, challenge_id, team_id, created_at, ip)
    values (${row.id}, ${row.challengeId}, ${row.teamId}, ${new Date(row.createdAt)}, '203.0.113.1')`)
const putSubmission = (row: SubmissionRow) =>
  database.db
    .query(sql`insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    values (gen_random_uuid(), ${row.result === 'queued' ? 'admin_bot' : 'flag'}, ${row.challengeId}, ${row.teamId},
      '203.0.113.1', ${row.result}, ${JSON.stringify({ submittedFlag: row.flag })}, ${new Date(row.createdAt)})`)

test('every figure is that of a computation over all rows', async () => {
  await fc.assert(
    fc.asyncProperty(contests, async (generated) => {
      const contest = rowsOf(generated)
      await store(contest, generated)
      const { teams, challenges, solves, now } = contest
      const adjustments = generated.adjustments
        .map(({ team, points }, index) => ({
          id: `${index}`,
          teamId: `team-${team}`,
          points,
          reason: 'fair play',
          kind: 'manual' as const,
          at: startTime,
          createdBy: null,
        }))
        .filter(({ teamId }) => teams.some(({ id }) => id === teamId))
      const rules = {
        score: {
          needs: { maxSolves: false, firstSolve: false },
          value: ({ max, solves: count }: { max: number; solves: number }) => max - count,
        },
        startTime,
        endTime: contest.endTime,
      }
      const world = createWorld(
        rules,
        {
          teams,
          challenges,
          solves,
          feed: [],
          feedEvents: [],
          settings: {},
          rows: [{ of: adjustmentRows, rows: adjustments }],
        },
        now,
      )
      expect(await computeReport(database.db, world, now)).toEqual(naiveReport(contest))
      const found = await readWrongFlags(
        database.db,
        challenges.map(({ id }) => id),
      )
      const order = (rows: typeof found) =>
        rows.toSorted((a, b) =>
          a.challengeId < b.challengeId ? -1 : a.challengeId > b.challengeId ? 1 : a.place - b.place,
        )
      expect(order(found)).toEqual(order(naiveWrongFlags(contest)))
    }),
    { numRuns: 60 },
  )
}, 120_000)
