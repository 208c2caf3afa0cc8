import { startInstance } from '@pennant/contract/instances.ts'
import { previewScores, readOverview, readStatistics } from '@pennant/contract/overview.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

async function readDashboard(contest: Contest, { token }: Member) {
  // Advances past the cache lifetime.
  contest.clock.advance(15_000)
  const response = await contest.call(readOverview, { token })
  if (response.kind !== 'goodAdminOverview') throw new Error(response.kind)
  return response.data
}

const codesOf = ({ warnings }: Awaited<ReturnType<typeof readDashboard>>) => warnings.map(({ code }) => code)

interface Submitted {
  /** Age by the database's clock. */
  readonly ago: string
  readonly result?: string
}

/** Adds one submission to the audit. */
const submitted = (contest: Contest, teamId: string, { ago, result = 'incorrect' }: Submitted) =>
  contest.db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    values (gen_random_uuid(), 'flag', 'a', ${teamId}, '203.0.113.1', ${result}, '{}', clock_timestamp() - ${ago}::interval)`)

test('organisers see how many teams submit, solve, wait and participate', async () => {
  await using contest = await startContest()
  const [admin, team, other] = [await contest.admin(), await contest.team(), await contest.team()]
  await putChallenge(contest.db, challengeRow('a'))
  await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
  const createdAt = noon
  await putSolve(contest.db, solveRow(1, { challengeId: 'a', teamId: team.id, createdAt }))
  await putSolve(contest.db, solveRow(2, { challengeId: 'hidden', teamId: team.id, createdAt }))
  for (const ago of ['0', '0', '40 minutes', '2 hours']) await submitted(contest, team.id, { ago })
  await submitted(contest, other.id, { ago: '30 minutes', result: 'correct' })
  await contest.db.query(sql`
    insert into pending_registrations (id, email, name, division, perms, expires_at) values
      ('1', 'a@b.test', 'a', 'open', 0, ${new Date(noon + HOUR_MS)}),
      ('2', 'b@b.test', 'b', 'open', 0, ${new Date(noon - HOUR_MS)}),
      ('first admin', 'c@b.test', 'c', 'open', 63, ${new Date(noon + HOUR_MS)})`)
  const seen = await readDashboard(contest, admin)
  expect(seen).toMatchObject({
    now: noon + 15_000,
    solves: 1,
    teams: 3,
    activeTeams15m: 1,
    pendingVerifications: 1,
    registrations10m: 3,
    instances: null,
    adminBot: null,
    outboxPending: 0,
  })
  expect(seen.submissionsPerMinute).toHaveLength(60)
  expect(seen.submissionsPerMinute.reduce((sum, count) => sum + count)).toBe(4)
  expect(seen.correctPerMinute.reduce((sum, count) => sum + count)).toBe(1)
  // Two submissions, possibly in two different minutes.
  expect(seen.submissionsPerMinute.slice(-2).reduce((sum, count) => sum + count)).toBe(2)
})

test('all organisers get the same counts within a second', async () => {
  await using contest = await startContest()
  const [admin, other] = [await contest.admin(), await contest.admin()]
  const before = await readDashboard(contest, admin)
  await contest.db.query(sql`
    insert into outbox (id, kind, payload) values (gen_random_uuid(), 'unknown', '{}')`)
  contest.clock.advance(999)
  expect(await contest.call(readOverview, { token: other.token })).toMatchObject({ data: before })
  contest.clock.advance(1)
  expect(await contest.call(readOverview, { token: other.token })).toMatchObject({
    data: { outboxPending: 1 },
  })
})

test('statistics have solves over time, flags of each challenge and the balance of categories', async () => {
  await using contest = await startContest()
  const [admin, team, other] = [await contest.admin(), await contest.team(), await contest.team()]
  const { startTime } = contest.world()
  await putChallenge(contest.db, challengeRow('a', { category: 'web' }))
  await putChallenge(contest.db, challengeRow('b', { category: 'pwn' }))
  await putChallenge(contest.db, challengeRow('king', { category: 'koth', scoringKind: 'dynamic' }))
  await putChallenge(contest.db, challengeRow('hidden', { category: 'misc', hidden: true }))
  const solves = [
    { challengeId: 'a', teamId: team.id, createdAt: startTime },
    { challengeId: 'a', teamId: other.id, createdAt: noon },
    { challengeId: 'hidden', teamId: other.id, createdAt: noon },
  ]
  for (const [at, solve] of solves.entries()) await putSolve(contest.db, solveRow(at + 1, solve))
  await submitted(contest, team.id, { ago: '2 hours' })
  await submitted(contest, other.id, { ago: '0' })
  await submitted(contest, other.id, { ago: '0', result: 'correct' })
  await submitted(contest, other.id, { ago: '0', result: 'already_solved' })
  const read = async () => {
    const response = await contest.call(readStatistics, { token: admin.token })
    if (response.kind !== 'goodAdminStatistics') throw new Error(response.kind)
    return response.data
  }
  const seen = await read()
  expect(seen.challenges.map(({ id, solves: count, correct, wrong }) => [id, count, correct, wrong])).toEqual(
    expect.arrayContaining([
      ['a', 2, 1, 2],
      ['b', 0, 0, 0],
    ]),
  )
  expect(seen.challenges).toHaveLength(2)
  const balance = seen.categories.map(({ category, challenges, solves: count }) => [
    category,
    challenges,
    count,
  ])
  expect(balance).toHaveLength(3)
  expect(balance).toEqual(
    expect.arrayContaining([
      ['web', 1, 2],
      ['pwn', 1, 0],
      ['koth', 1, 0],
    ]),
  )
  expect(seen.solves.from).toBe(startTime)
  expect(seen.solves.counts.at(0)).toBe(1)
  expect(seen.solves.counts.at(-1)).toBe(1)
  expect(seen.solves.counts.reduce((sum, count) => sum + count)).toBe(2)

  // One count of the audit serves all organisers for 15 seconds.
  await submitted(contest, team.id, { ago: '0' })
  contest.clock.advance(14_999)
  expect(await read()).toEqual(seen)
  contest.clock.advance(1)
  expect((await read()).challenges.find(({ id }) => id === 'a')?.wrong).toBe(3)
})

test('only organisers with both permissions read the statistics', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin(permissions.challsRead)
  expect(await contest.call(readStatistics, { token })).toMatchObject({ kind: 'badPerms' })
  expect(await contest.call(readStatistics, {})).toMatchObject({ kind: 'badToken' })
})

test('counts running instances and the queue of the admin bot', async () => {
  const adminBot = {
    provider: {
      name: 'admin-bots/browser',
      options: { endpoint: 'https://bot.example', secretKey: 'secret' },
    },
  }
  await using contest = await startContest({
    config: { instancers: { local: { name: 'instancers/memory' } }, adminBot },
  })
  const [admin, team] = [await contest.admin(), await contest.team()]
  const instancerConfig = {
    challengeIntegrationId: 'web-1',
    config: {},
    expose: [],
    timeoutMilliseconds: 600_000,
  }
  await putChallenge(contest.db, challengeRow('web', { instancerConfig }))
  await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  await contest.db.query(sql`
    insert into admin_bot_jobs (id, challenge_id, team_id, config_revision, flags, inputs, instancer_instances,
      timeout_ms, created_at, updated_at)
    values ('job', 'web', ${team.id}, 'r', '[]', '{}', '[]', 1000, ${new Date(noon)}, ${new Date(noon)})`)
  const seen = await readDashboard(contest, admin)
  expect(seen).toMatchObject({
    instances: { running: 1, starting: 0, errored: 0 },
    adminBot: { queued: 1, running: 0, oldestQueuedMs: 15_000 },
  })
  expect(codesOf(seen)).not.toContain('botWithoutWorker')
  contest.clock.advance(60_000)
  const later = await readDashboard(contest, admin)
  expect(later.warnings).toContainEqual(expect.objectContaining({ code: 'botWithoutWorker', since: noon }))
})

test('reports a problem with its start time until it is fixed', async () => {
  await using contest = await startContest()
  const admin = await contest.admin()
  await eventually(async () =>
    expect(codesOf(await readDashboard(contest, admin))).not.toContain('workerMissing'),
  )
  await putChallenge(contest.db, challengeRow('a', { name: 'Empty', flags: [] }))
  const begun = await readDashboard(contest, admin)
  const warning = begun.warnings.find(({ code }) => code === 'challengeWithoutFlag')
  expect(warning).toMatchObject({ text: expect.stringContaining('Empty'), since: begun.now })
  expect((await readDashboard(contest, admin)).warnings).toContainEqual(warning)
  await putChallenge(contest.db, challengeRow('a', { hidden: true }))
  expect(codesOf(await readDashboard(contest, admin))).not.toContain('challengeWithoutFlag')
})

test('warns about a surge of teams and pending registrations', async () => {
  await using contest = await startContest()
  const admin = await contest.admin()
  for (let at = 0; at < 60; at += 1) await contest.team()
  const quiet = await readDashboard(contest, admin)
  expect(quiet.registrations10m).toBe(61)
  expect(codesOf(quiet)).not.toContain('registrationSurge')
  await contest.db.query(sql`
    insert into pending_registrations (id, email, name, division, perms, created_at, expires_at)
    select n, n || '@b.test', 'n' || n, 'open', 0, ${new Date(noon)}, ${new Date(noon + HOUR_MS)}
    from generate_series(1, 39) as n`)
  const busy = await readDashboard(contest, admin)
  expect(busy.registrations10m).toBe(100)
  expect(codesOf(busy)).toContain('registrationSurge')
})

test('warns if no process has the worker lease', async () => {
  await using contest = await startContest({ config: { instanceType: 'frontend' } })
  expect(codesOf(await readDashboard(contest, await contest.admin()))).toContain('workerMissing')
})

test('warns about failing mail while it is retried, and later that it was given up', async () => {
  await using contest = await startContest({ config: { instanceType: 'frontend' } })
  const admin = await contest.admin()
  const createdAt = new Date(Date.UTC(2026, 0, 1))
  await contest.db.query(sql`
    insert into outbox (id, kind, payload, attempts, last_error, created_at, due_at)
    values (gen_random_uuid(), 'mail', '{}', 3, 'refused', ${createdAt}, 'infinity')`)
  const seen = await readDashboard(contest, admin)
  expect(seen.outboxPending).toBe(1)
  expect(seen.warnings).toContainEqual(
    expect.objectContaining({ code: 'mailFailing', since: createdAt.getTime() }),
  )
  await contest.db.query(sql`update outbox set failed_at = clock_timestamp()`)
  const codes = codesOf(await readDashboard(contest, admin))
  expect(codes).toContain('mailGivenUp')
  expect(codes).not.toContain('mailFailing')
})

test('the preview uses the configured formula', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin()
  const query = { min: '100', max: '500' }
  const response = await contest.call(previewScores, { token, query })
  if (response.kind !== 'goodScoresPreview') throw new Error(response.kind)
  const { provider, values } = response.data
  expect(provider).toBe('scores/classic')
  expect(values).toHaveLength(501)
  expect(values.slice(0, 3)).toEqual([
    [0, 500],
    [1, 500],
    [2, 481],
  ])
  expect(values.every(([solves], at) => solves === at)).toBe(true)
  const wrong = { min: '2147483648', max: '500' }
  expect(await contest.call(previewScores, { token, query: wrong })).toMatchObject({ kind: 'badBody' })
})

test('a formula that depends on other challenges uses the highest solve count or the given one', async () => {
  await using contest = await startContest({ config: { scoreProvider: 'scores/legacy' } })
  const { token } = await contest.admin()
  const pointsAt = async (solves: number, more = {}) => {
    const response = await contest.call(previewScores, { token, query: { min: '100', max: '500', ...more } })
    if (response.kind !== 'goodScoresPreview') throw new Error(response.kind)
    return response.data.values[solves]?.[1]
  }
  expect(await pointsAt(10)).toBe(100)
  expect(await pointsAt(10, { maxSolves: '20' })).toBeGreaterThan(100)
  expect(await pointsAt(20, { maxSolves: '20' })).toBe(100)
})

test('a formula that depends on the first solve uses the current time or the given one', async () => {
  await using contest = await startContest({ config: { scoreProvider: 'scores/jammy' } })
  const { token } = await contest.admin()
  const pointsOf = async (more = {}) => {
    const response = await contest.call(previewScores, { token, query: { min: '100', max: '500', ...more } })
    if (response.kind !== 'goodScoresPreview') throw new Error(response.kind)
    return response.data.values.slice(0, 2).map(([, points]) => points)
  }
  const [unsolved, early = 0] = await pointsOf()
  expect(unsolved).toBe(500)
  expect(early).toBeLessThan(200)
  expect(await pointsOf({ firstSolveAt: String(noon + 46 * HOUR_MS) })).toEqual([500, 500])
})
