import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import {
  downloadEventStatistics,
  downloadPublicStatistics,
  listWrongFlags,
  readEventStatistics,
  readPublicStatistics,
  StatisticsTable,
} from '@pennant/contract/statistics.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { deleteChallenge, deleteSolve } from '@pennant/contract/admin-challenges.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { putChallenge, putSettings, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

const flagOf = (flag: string) => [{ provider: 'flags/static', config: { flag } }]

async function submit({ call }: Contest, { token }: Member, [id, flag]: readonly [id: string, flag: string]) {
  const { kind } = await call(submitFlag, { token, params: { id }, body: { flag } })
  return kind
}

/** Two challenges, and a hidden one. The database dates submissions, so the event is around its clock. */
async function playedContest() {
  const startsAt = Date.now()
  const contest = await startContest({
    startsAt,
    config: { startTime: startsAt - HOUR_MS, endTime: startsAt + 47 * HOUR_MS },
  })
  await putChallenge(contest.db, challengeRow('warm-up', { flags: flagOf('flag{warm}'), category: 'web' }))
  await putChallenge(contest.db, challengeRow('vault', { flags: flagOf('flag{vault}'), category: 'web' }))
  await putChallenge(contest.db, challengeRow('secret', { flags: flagOf('flag{secret}'), hidden: true }))
  return contest
}

async function read(contest: Contest, { token }: Member) {
  contest.clock.advance(MINUTE_MS)
  const response = await contest.call(readEventStatistics, { token })
  if (response.kind !== 'goodEventStatistics') throw new Error(response.kind)
  return response.data
}

async function wrongFlags(contest: Contest, { token }: Member, query: { challenge?: string } = {}) {
  contest.clock.advance(MINUTE_MS)
  const response = await contest.call(listWrongFlags, {
    token,
    query: { limit: '10', offset: '0', ...query },
  })
  if (response.kind !== 'goodWrongFlags') throw new Error(response.kind)
  return response.data
}

const openStatistics = (contest: Contest) => contest.call(readPublicStatistics, {})

/** The text of a CSV file. */
async function csv(contest: Contest, path: string, token?: string) {
  const response = await fetch(`${contest.url}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status: response.status, type: response.headers.get('content-type'), text, bytes }
}

test('organisers see solves, wrong flags and active teams; bans and deletions remove them', async () => {
  await using contest = await playedContest()
  const admin = await contest.admin()
  const [fast, slow] = [await contest.team('fast'), await contest.team('slow')]
  expect(await submit(contest, fast, ['warm-up', 'flag{cold}'])).toBe('badFlag')
  expect(await submit(contest, fast, ['warm-up', 'flag{warm}'])).toBe('goodFlag')
  expect(await submit(contest, slow, ['warm-up', 'flag{warm}'])).toBe('goodFlag')
  expect(await submit(contest, slow, ['vault', 'flag{vault}'])).toBe('goodFlag')
  const seen = await read(contest, admin)
  expect(seen.total).toEqual({ teams: 3, active: 2, solvers: 2, solves: 3, submissions: 4 })
  expect(
    seen.challenges.map(({ id, solves, correct, wrong, firstSolve }) => [
      id,
      solves,
      correct,
      wrong,
      firstSolve?.teamName,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['warm-up', 2, 2, 1, 'fast'],
      ['vault', 1, 1, 0, 'slow'],
    ]),
  )
  expect(seen.funnel).toMatchObject({ registered: 3, active: 2, solvedOne: 2, solvedAll: 1 })

  const unsolve = { challengeId: 'vault', userId: slow.id }
  await contest.call(deleteSolve, { token: admin.token, params: unsolve })
  const without = await read(contest, admin)
  expect(without.total).toEqual({ ...seen.total, solves: 2 })
  expect(without.challenges.find(({ id }) => id === 'vault')).toMatchObject({
    solves: 0,
    firstSolve: null,
    correct: 1,
  })

  await setBanned(contest.db, slow.id, true)
  expect((await read(contest, admin)).total).toEqual({
    teams: 2,
    active: 1,
    solvers: 1,
    solves: 1,
    submissions: 2,
  })
  await contest.call(deleteChallenge, { token: admin.token, params: { id: 'warm-up' } })
  expect((await read(contest, admin)).total).toMatchObject({ active: 0, solves: 0, submissions: 0 })
})

test('one computation serves everyone for a minute', async () => {
  await using contest = await playedContest()
  const [admin, other, team] = [await contest.admin(), await contest.admin(), await contest.team()]
  const before = await read(contest, admin)
  await submit(contest, team, ['warm-up', 'flag{warm}'])
  contest.clock.advance(MINUTE_MS - 1)
  const response = await contest.call(readEventStatistics, { token: other.token })
  expect(response).toMatchObject({ data: before })
  expect((await read(contest, admin)).total.solves).toBe(1)
})

test('everyone sees them after the end, if organisers allow it, without numbers of wrong flags', async () => {
  await using contest = await playedContest()
  const team = await contest.team('=cmd')
  await submit(contest, team, ['warm-up', 'flag{warm}'])
  const { endTime } = contest.world()
  const left = () => endTime - contest.clock.now()
  await putSettings(contest.db, { statisticsPublic: true })
  contest.clock.advance(left() - 1)
  expect(await openStatistics(contest)).toMatchObject({ kind: 'badStatistics' })
  expect(await csv(contest, '/api/v2/statistics/tables/challenges')).toMatchObject({ status: 404 })
  contest.clock.advance(1)
  const seen = await openStatistics(contest)
  if (seen.kind !== 'goodStatistics') throw new Error(seen.kind)
  expect(seen.data.challenges.map(({ id }) => id).sort()).toEqual(['vault', 'warm-up'])
  expect(JSON.stringify(seen)).not.toMatch(/secret|wrong|correct/)
  expect(seen.data.overTime.solves.reduce((sum, count) => sum + count)).toBe(1)
  expect(await contest.call(getClientConfigV2, {})).toMatchObject({ data: { statistics: true } })

  const tables = StatisticsTable.options.map(
    (table) => [table, csv(contest, `/api/v2/statistics/tables/${table}`)] as const,
  )
  for (const [, file] of tables)
    expect(await file).toMatchObject({ status: 200, type: 'text/csv; charset=utf-8' })
  // A country or a division may be a single team, whose wrong flags its numbers would be.
  for (const rows of [seen.data.countries, seen.data.divisions])
    for (const row of rows) {
      expect(row).not.toHaveProperty('submissions')
      expect(row).not.toHaveProperty('active')
    }
  for (const table of ['countries', 'divisions'])
    expect((await csv(contest, `/api/v2/statistics/tables/${table}`)).text).toMatch(
      /^[a-z]+,teams,solvers,solves\r\n/,
    )
  const { text, bytes } = await csv(contest, '/api/v2/statistics/tables/challenges')
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from('\uFEFF'))
  expect(text).toContain(`,'=cmd,`)
  expect(text).not.toMatch(/secret|wrong/)
  expect(
    await contest.call(downloadPublicStatistics, { params: { table: 'wrong-flags' as 'hours' } }),
  ).toMatchObject({ kind: 'badBody' })

  // Hiding a challenge, a freeze and the setting take effect immediately, not when the kept figures are old.
  await putChallenge(contest.db, challengeRow('vault', { hidden: true }))
  const hidden = await openStatistics(contest)
  expect(JSON.stringify(hidden)).not.toContain('vault')
  await putSettings(contest.db, { statisticsPublic: true, freezeTime: endTime - HOUR_MS })
  expect(await openStatistics(contest)).toMatchObject({ kind: 'badStatistics' })
  await putSettings(contest.db, {
    statisticsPublic: true,
    freezeTime: endTime - HOUR_MS,
    resultsPublished: true,
  })
  expect(await openStatistics(contest)).toMatchObject({ kind: 'goodStatistics' })
  await putSettings(contest.db, {})
  expect(await openStatistics(contest)).toMatchObject({ kind: 'badStatistics' })
})

test('challenges that some teams must not know of are in no public statistics', async () => {
  await using contest = await playedContest()
  await contest.db.change(async (tx) => {
    await tx.query(sql`update challenges set prerequisites = '["warm-up"]' where id = 'vault'`)
    tx.changed('challenges', ['vault'])
  })
  const team = await contest.team()
  await submit(contest, team, ['warm-up', 'flag{warm}'])
  await submit(contest, team, ['vault', 'flag{vault}'])
  await putSettings(contest.db, { statisticsPublic: true })
  contest.clock.advance(48 * HOUR_MS)
  const seen = await openStatistics(contest)
  expect(seen).toMatchObject({ data: { total: { solves: 1 } } })
  expect(JSON.stringify(seen)).not.toContain('vault')
})

test('the most common wrong flag of each challenge, unless it is right for another challenge or team', async () => {
  await using contest = await playedContest()
  const admin = await contest.admin()
  const teams = [await contest.team(), await contest.team(), await contest.team()]
  await contest.db.query(sql`
    insert into dynamic_flags (challenge_id, team_id, base, flag)
    values ('secret', ${teams[0]?.id}, 'flag{base}', 'flag{M1nted}')`)
  await putChallenge(
    contest.db,
    challengeRow('pattern', {
      flags: [{ provider: 'flags/regex', config: { pattern: '^FLAG\\{[0-9]{4}\\}$' } }],
    }),
  )
  for (const team of teams) await submit(contest, team, ['warm-up', 'flag{vault} '])
  for (const team of teams.slice(1)) {
    await submit(contest, team, ['warm-up', 'FLAG{warm}'])
    await submit(contest, team, ['vault', 'flag{m1nted}'])
  }
  for (const flag of ['FLAG{2026}', 'FLAG{2026}', 'once']) {
    const [team] = teams
    if (team) await submit(contest, team, ['secret', flag])
    if (team) await submit(contest, team, ['warm-up', flag])
  }
  const seen = await wrongFlags(contest, admin)
  expect(seen.flags.map(({ challengeId, flag, teams: count }) => [challengeId, flag, count])).toEqual([
    // Differs from the flag of another challenge by a blank only.
    ['warm-up', null, 3],
    // Differs from a flag that was minted for a team in case only.
    ['vault', null, 2],
  ])
  expect(seen.total).toBe(2)
  const own = await wrongFlags(contest, admin, { challenge: 'warm-up' })
  expect(own.flags.map(({ flag, teams: count, submissions }) => [flag, count, submissions])).toEqual([
    [null, 3, 3],
    // A wrong spelling of the challenge's own flag is what an organiser has to see.
    ['FLAG{warm}', 2, 2],
    // Matches the pattern of another challenge.
    [null, 1, 2],
  ])
  const { text } = await csv(contest, '/api/v2/admin/statistics/tables/wrong-flags', admin.token)
  expect(text).toContain('warm-up')
  expect(text).not.toMatch(/vault\}|m1nted|2026/)
})

test('organisers need the permissions of the submission audit', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin(permissions.challsRead)
  const query = { limit: '10', offset: '0' }
  const calls = (given: { token?: string }) =>
    Promise.all([
      contest.call(readEventStatistics, given),
      contest.call(listWrongFlags, { ...given, query }),
      contest.call(downloadEventStatistics, { ...given, params: { table: 'hours' } }),
    ])
  for (const { kind } of await calls({ token })) expect(kind).toBe('badPerms')
  for (const { kind } of await calls({})) expect(kind).toBe('badToken')
  const admin = await contest.admin()
  expect(
    await contest.call(listWrongFlags, { token: admin.token, query: { ...query, limit: '101' } }),
  ).toMatchObject({ kind: 'badBody' })
  expect(
    await contest.call(downloadEventStatistics, { token: admin.token, params: { table: 'x' as 'hours' } }),
  ).toMatchObject({ kind: 'badBody' })
  for (const table of [...StatisticsTable.options, 'wrong-flags'])
    expect(await csv(contest, `/api/v2/admin/statistics/tables/${table}`, admin.token)).toMatchObject({
      status: 200,
    })
})
