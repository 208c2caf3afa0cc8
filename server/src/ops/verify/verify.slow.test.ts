import { submitFlag } from '@pennant/contract/submissions.ts'
import { Client } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { putChallenge, putFeed, putSettings, putSolve, setBanned } from '../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../test/contest-rows.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { tracksOf } from '../../../test/world-model.ts'
import { noon, startContest, type Contest } from '../../../test/harness.ts'
import type { Database } from '../../db/database.ts'
import { findViolations, INVARIANTS } from './invariants.ts'
import { verify, type VerifyOptions } from './run.ts'
import { adjustmentRows } from '../../features/contest/adjustments/rows.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const MINUTE = 60_000

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

describe('the standings', () => {
  let contest: Contest
  const ids: string[] = []
  beforeAll(async () => {
    contest = await startContest()
    for (const n of [1, 2, 3])
      await putChallenge(contest.db, challengeRow(`c${n}`, { tiebreakEligible: n !== 3 }))
    await putChallenge(contest.db, challengeRow('fixed', { scoringKind: 'static' }))
    await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
    await putChallenge(contest.db, challengeRow('live', { scoringKind: 'dynamic' }))
    for (let n = 0; n < 12; n++) ids.push((await contest.team()).id)
    let number = 0
    for (const [at, teamId] of ids.entries())
      for (const [task, challengeId] of ['c1', 'c2', 'c3', 'fixed', 'hidden'].entries())
        if ((at * 7 + task * 3) % 4 > 0)
          await putSolve(
            contest.db,
            solveRow(++number, { challengeId, teamId, createdAt: noon + number * MINUTE }),
          )
    const pushes = [
      [0, 30, 5],
      [1, -20, 6],
      [2, 15, 7],
    ] as const
    for (const [team, points, minute] of pushes) {
      const at = noon + minute * MINUTE
      await putFeed(contest.db, {
        challengeId: 'live',
        teamId: ids[team] ?? '',
        points,
        scoredAt: at,
        delta: points,
        tickAt: at,
      })
    }
    await setBanned(contest.db, ids[3] ?? '', true)
    const adjustments = [
      [0, -40, 3.5, false],
      [1, 60, 4, false],
      [2, 700, 5, true],
      [3, 80, 6, false],
    ] as const
    for (const [team, points, minute, isUndone] of adjustments) {
      const at = new Date(noon + minute * MINUTE)
      await contest.db.change(async (tx) => {
        await tx.query(sql`
          insert into score_adjustments (id, team_id, points, reason, at, undone_at)
          values (${`a${team}`}, ${ids[team]}, ${points}, 'x', ${at}, ${isUndone ? at : null})`)
        tx.changed(adjustmentRows, [ids[team] ?? ''])
      })
    }
  })
  afterAll(() => contest[Symbol.asyncDispose]())

  function check(more: Partial<VerifyOptions> = {}) {
    return withClient(contest.database.url, (client) =>
      verify({
        client,
        rules: {
          score: contest.app.providers.score,
          startTime: noon - 60 * MINUTE,
          endTime: noon + 47 * 60 * MINUTE,
        },
        now: () => contest.clock.now(),
        at: null,
        url: null,
        token: null,
        ...more,
      }),
    )
  }

  test('equal those that the server shows', async () => {
    const { standings, differences } = await check({ url: contest.url })
    expect(differences).toEqual([])
    // All but the banned team.
    expect(standings.length).toBe(11)
  })

  test('equal those that the server shows in an event with tracks', async () => {
    const [human, agent, guest] = tracksOf(0)
    if (!human || !agent || !guest) throw new Error('no tracks')
    const silent = { ...agent, isRanked: false, affectsPoints: false }
    await putSettings(contest.db, { tracks: [human, silent, { ...guest, affectsPoints: false }] })
    await contest.db.change(async (tx) => {
      await tx.query(
        sql`update teams set track = case n % 4 when 0 then 'agent' when 1 then 'guest' when 2 then 'gone' end`,
      )
      tx.changed('teams', ids)
    })
    await contest.app.stores.follower.catchUp()
    const { standings, differences } = await check({ url: contest.url })
    expect(differences).toEqual([])
    expect(standings.length).toBeLessThan(11)
    await putSettings(contest.db, {})
    await contest.app.stores.follower.catchUp()
    expect((await check({ url: contest.url })).differences).toEqual([])
  })

  test('differ from those of a server that counts other rows', async () => {
    await using other = await startContest()
    const { differences } = await check({ url: other.url })
    expect(differences?.[0]).toMatch(/^rank 1: computed .* points, 1, 1 in open, served no team$/)
    expect(differences?.length).toBe(11)
  })

  test('at an instant contain what was there then', async () => {
    const { standings } = await check({ at: noon + 2 * MINUTE + 1 })
    expect(standings.reduce((sum, { score }) => sum + score, 0)).toBeGreaterThan(0)
    const early = await check({ at: noon - 1 })
    expect(early.standings).toEqual([])
    const late = await check({ at: noon + 40 * 60 * MINUTE })
    expect(late.standings).toEqual((await check()).standings)
    expect(standings.length).toBeLessThan(late.standings.length)
    const scoreAt = async (minute: number) =>
      (await check({ at: noon + minute * MINUTE })).standings.find(({ id }) => id === ids[0])?.score ?? 0
    // The deduction, between two solves.
    expect(await scoreAt(3.5)).toBe((await scoreAt(3.4)) - 40)
  })
})

describe('the invariants', () => {
  let contest: Contest
  beforeAll(async () => {
    contest = await startContest()
    await putChallenge(contest.db, challengeRow('c1'))
    const team = await contest.team()
    const { kind } = await contest.call(submitFlag, {
      token: team.token,
      params: { id: 'c1' },
      body: { flag: 'flag{x}' },
    })
    expect(kind).toBe('goodFlag')
  })
  afterAll(() => contest[Symbol.asyncDispose]())

  test('hold after a solve', async () => {
    expect(await withClient(contest.database.url, findViolations)).toEqual([])
  })

  const solve = `insert into solves (id, challenge_id, team_id, created_at, ip)
    select gen_random_uuid(), 'c1', 't1', now(), '203.0.113.1'`
  const audit = (result: string, related: string) => `
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
    select gen_random_uuid(), 'flag', 'c1', 't1', '203.0.113.1', '${result}', '{}', ${related}, coalesce((select created_at from solves where id::text = ${related}), now())`
  const seeds: Readonly<Record<string, readonly string[]>> = {
    'one-solve-per-pair': [
      'alter table solves drop constraint solves_once',
      solve,
      solve,
      audit('correct', '(select id::text from solves order by id limit 1)'),
      audit('correct', '(select id::text from solves order by id desc limit 1)'),
    ],
    'solves-in-audit': [solve],
    'audit-in-solves': [audit('correct', `'a solve'`)],
    'audit-of-solves': [audit('incorrect', `'a solve'`)],
    'audit-details': [audit('incorrect', 'null'), `update submissions set details = '"x"'`],
    teams: [audit('incorrect', 'null'), 'delete from teams'],
    challenges: [audit('incorrect', 'null'), 'delete from challenges'],
    points: [
      `insert into admin_actions (action, target, after) values ('challenge.update', 'c1', '{"pointsMax": 500}')`,
      'update challenges set points_max = 1000',
    ],
    'single-rows': ['delete from settings'],
    ranks: [
      solve,
      audit('correct', '(select id::text from solves)'),
      'update solves set global_place = 2, division_place = 3',
    ],
    'score-events': [
      `insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at) values ('c1', 't1', 5, now(), 5, now())`,
      `insert into feed_events (challenge_id, team_id, delta, at) values ('c1', 't1', 4, now())`,
    ],
    hints: [
      `insert into score_adjustments (id, team_id, points, reason, kind) values ('a1', 't1', -5, 'Hint 1', 'hint')`,
    ],
    'capacity-slots': [
      `insert into instance_slots (instancer, team_id, integration_id, challenge_id, claimed_at, ends_at)
       values ('docker', 't1', 'i', 'c1', now() - interval '3 hours', now() - interval '2 hours')`,
    ],
    outbox: [
      `insert into outbox (id, kind, payload, due_at) values (gen_random_uuid(), 'mail', '{}', now() - interval '2 hours')`,
    ],
    captains: [
      'drop index persons_captain_key',
      `insert into persons (id, name, team_id, is_captain, joined_at) values ('p1', 'A', 't1', true, now()), ('p2', 'B', 't1', true, now())`,
    ],
    people: [`insert into persons (id, name, team_id) values ('p1', 'A', 't1')`],
    'sign-in': [
      'alter table person_identities drop constraint person_identities_person_id_fkey',
      `insert into person_identities (issuer, subject, person_id) values ('i', 's', 'gone')`,
    ],
    'registration-codes': [
      `insert into registration_codes (id, code, code_hash, max_uses) values ('r1', 'code', '\\x00', 1)`,
      `update teams set registration_code_id = 'r1'`,
    ],
    pages: [
      `insert into pages (id, slug, place, position, published, must_accept, texts) values ('g1', 'rules', 'none', 0, true, false, '[]')`,
    ],
    mailings: [
      `insert into outbox (id, kind, payload, due_at) values (gen_random_uuid(), 'mailing', '{"mailing": "gone"}', now())`,
    ],
    'erased-teams': ['update teams set erased_at = now()'],
    sequences: [
      `insert into changes (seq, kind, ids) overriding system value values (1000, 'settings', '{}')`,
    ],
  }

  test.each([...INVARIANTS.map(({ name }) => name), 'sequences'])(
    'report a violation of %s and no other',
    async (name) => {
      await using database = await openTestDatabase()
      const { db } = database
      await putChallenge(db, challengeRow('c1'))
      await db.query(
        sql`insert into teams (id, name, email, division) values ('t1', 'One', 'one@x.test', 'open')`,
      )
      expect(await withClient(database.url, findViolations)).toEqual([])
      await seed(db, seeds[name] ?? [])
      const found = await withClient(database.url, findViolations)
      expect(found.map(({ check: failed }) => failed)).toEqual([name])
      expect(found[0]?.count).toBe(1)
      expect(found[0]?.examples.length).toBe(1)
    },
  )
})

test('a database that someone altered is a finding of each check that it stops', async () => {
  const altered: Record<string, string[]> = {
    'drop table hint_purchases': ['hints'],
    'drop table solves cascade': [
      'standings',
      'one-solve-per-pair',
      'solves-in-audit',
      'audit-in-solves',
      'ranks',
    ],
    'drop table action_chain': ['audit-in-solves', 'teams', 'challenges', 'single-rows', 'action log'],
    [`update settings set data = '{"startTime": "soon"}'`]: ['standings'],
  }
  for (const [statement, expected] of Object.entries(altered)) {
    await using database = await openTestDatabase()
    await database.db.query(raw(statement))
    const rules = {
      score: { needs: { maxSolves: false, firstSolve: false }, value: () => 1 },
      startTime: noon,
      endTime: noon + MINUTE,
    }
    const run = (client: Client) =>
      verify({ client, rules, now: () => noon, at: null, url: null, token: null })
    const { violations } = await withClient(database.url, run)
    expect(violations.map((violation) => violation.check)).toEqual(expected)
    for (const { examples } of violations) expect(examples[0]).toMatch(/^could not be checked/)
  }
})

async function seed(db: Database, statements: readonly string[]): Promise<void> {
  expect(statements).not.toEqual([])
  for (const statement of statements) await db.query(raw(statement))
}
