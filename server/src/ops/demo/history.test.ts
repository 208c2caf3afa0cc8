import { DAY_MS, HOUR_MS } from '@pennant/contract/durations.ts'
import { Client } from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { findViolations } from '../verify/invariants.ts'
import { demoChallenges } from './challenges.ts'
import { timesOf } from './event.ts'
import { makeHistory, played, playedLive, wrongFlag } from './history.ts'
import { insertHistory } from './insert.ts'
import { liveChallenges } from './live-challenges.ts'
import { seeded } from './random.ts'

const now = Date.UTC(2026, 4, 2, 14)
const challenges = [...demoChallenges.map(played), ...liveChallenges.map(playedLive)]

function historyOf(teams: number, phase: 'before' | 'live' | 'ended') {
  return makeHistory({ teams, challenges, ...timesOf(phase, now), now })
}

test('the same options produce the same history', () => {
  expect(historyOf(50, 'live')).toEqual(historyOf(50, 'live'))
})

test('names, addresses and challenge ids are unique, also among 10,000 teams', () => {
  const { teams } = makeHistory({ teams: 10_000, challenges: [], ...timesOf('live', now), now })
  expect(new Set(teams.map(({ name }) => name.toLowerCase())).size).toBe(10_000)
  expect(new Set(teams.map(({ email }) => email)).size).toBe(10_000)
  expect(new Set(teams.map(({ ip }) => ip)).size).toBe(10_000)
  expect(new Set(challenges.map(({ id }) => id)).size).toBe(challenges.length)
})

test('teams solve what is open, after they registered, and leave work for later', () => {
  const { teams, submissions } = historyOf(300, 'live')
  const { startTime } = timesOf('live', now)
  for (const { team, challenge, at } of submissions) {
    expect(at).toBeGreaterThanOrEqual(startTime + (challenge.opensAfterHours ?? 0) * HOUR_MS)
    expect(at).toBeGreaterThan(teams[team]!.createdAt)
    expect(at).toBeLessThan(now)
  }
  const solves = submissions.filter(({ result }) => result === 'correct')
  expect(solves.length).toBeGreaterThan(1500)
  expect(solves.length).toBeLessThan(teams.length * challenges.length * 0.6)
  // Some in each of the two days, and some in the last hours.
  expect(solves.some(({ at }) => at > startTime + DAY_MS)).toBe(true)
  expect(solves.some(({ at }) => at > now - 3 * HOUR_MS)).toBe(true)
})

test('before the start no one has submitted anything; after the end no one submits', () => {
  expect(historyOf(100, 'before').submissions).toEqual([])
  const { endTime } = timesOf('ended', now)
  expect(historyOf(100, 'ended').submissions.every(({ at }) => at < endTime)).toBe(true)
})

test('a wrong flag is never the right one', () => {
  const random = seeded('wrong flags')
  for (let count = 0; count < 500; count++) {
    for (const flag of ['flag{a}', 'flag{test}', 'FLAG{}', 'flag{...}'])
      expect(wrongFlag(flag, random)).not.toBe(flag)
  }
})

test('the written tables have no fault', async () => {
  await using database = await openTestDatabase()
  const { db, url } = database
  await db.change(async (tx) => {
    const ids = challenges.map(({ id }) => id)
    await tx.query(
      sql`insert into challenges (id, points_max) select id, 500 from unnest(${ids}::text[]) as id`,
    )
    tx.changed('challenges', ids)
  })
  const history = historyOf(120, 'live')
  await insertHistory(db, history, { waitsForRanks: false })
  const [counts] = await db.query<{ teams: number; solves: number; submissions: number }>(sql`
    select (select count(*) from teams) as teams, (select count(*) from solves) as solves,
      (select count(*) from submissions) as submissions`)
  expect(counts).toEqual({
    teams: 120,
    solves: history.submissions.filter(({ result }) => result === 'correct').length,
    submissions: history.submissions.length,
  })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    expect(await findViolations(client)).toEqual([])
  } finally {
    await client.end()
  }
})
