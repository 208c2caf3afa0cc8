import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { rules } from '../../../test/contest-rows.ts'
import { readFeed, readFeedEvents, readSolves } from '../rows.ts'
import { loadWorldRows } from './load.ts'
import { createWorld, lastFeedEvent } from '../fold/world.ts'
import { waveRows } from '../../features/news/waves/rows.ts'
import { featureKinds, rowKindsOf } from '../../wiring/kinds.ts'

const rowKinds = rowKindsOf(featureKinds)

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

test('reads every field of every table as the rows of the world', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into teams (id, name, email, division, perms, banned, extrank_id, avatar_url, country_code, status_text,
        created_at, tokens_valid_from, track, agent)
      values ('t1', 'One', 'a@b.test', 'open', 3, true, '7', 'u', 'AT', 's', '2026-01-01T00:00:00.123Z',
          '2026-01-01T00:00:02Z', 'agents', '{"operator": "O", "model": "M"}'),
        ('t2', 'Two', null, 'student', 0, false, '8', null, null, null, '2026-01-01T00:00:01Z', null, null, null)`)
    await tx.query(sql`
      insert into challenges (id, name, description, category, author, flags, files, points_min, points_max,
        tiebreak_eligible, sort_weight, hidden, release_at, scoring_kind, scoring_secret, instancer_config,
        admin_bot_config, tags, version)
      values ('c1', 'n', 'd', 'web', 'a', '[{"provider": "flags/static", "config": {"flag": "f"}}]',
        '[{"name": "x", "url": "y"}]', 1, 2, false, 1.5, true, '2026-01-02T00:00:00.0009Z', 'dynamic', 'k',
        '{"a": 1}', '{"b": 2}', '["t"]', 4)`)
    await tx.query(sql`insert into challenges (id) values ('c2')`)
    await tx.query(sql`
      insert into waves (id, name, open_at, announce, forward, countdown, title, content)
      values ('w', 'Wave', '2026-01-02', true, false, true, 'T', null)`)
    await tx.query(sql`
      update challenges set wave_id = 'w', prerequisites = '["c2"]', locked_shown = true where id = 'c1'`)
    await tx.query(sql`
      insert into feed_scores values ('c1', 't2', 5, '2026-01-03T00:00:00Z', -2, '2026-01-03T00:00:05Z')`)
    await tx.query(sql`
      insert into feed_events (challenge_id, team_id, delta, at) values ('c1', 't2', 7, '2026-01-03T00:00:00Z'),
        ('c1', 't2', -2, '2026-01-03T00:00:05Z')`)
    await tx.query(sql`update settings set data = '{"ctfName": "X"}'`)
    tx.changed('teams', ['t1', 't2'])
  })

  const { rows, position } = await loadWorldRows(db, rowKinds)
  expect(position).toEqual({ seq: 1, mark: expect.stringMatching(/^\d+\.\d+$/) })
  expect(rows.teams).toEqual([
    {
      id: 't1',
      n: 1,
      name: 'One',
      email: 'a@b.test',
      division: 'open',
      perms: 3,
      banned: true,
      extrankId: '7',
      avatarUrl: 'u',
      countryCode: 'AT',
      statusText: 's',
      createdAt: Date.UTC(2026, 0, 1, 0, 0, 0, 123),
      tokensValidFrom: Date.UTC(2026, 0, 1, 0, 0, 2),
      tokenOff: false,
      track: 'agents',
      agent: { operator: 'O', model: 'M' },
    },
    expect.objectContaining({
      id: 't2',
      track: null,
      agent: null,
      n: 2,
      email: null,
      avatarUrl: null,
      countryCode: null,
      statusText: null,
      tokensValidFrom: 0,
    }),
  ])
  expect(rows.challenges.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    {
      id: 'c1',
      n: 1,
      name: 'n',
      description: 'd',
      category: 'web',
      author: 'a',
      flags: [{ provider: 'flags/static', config: { flag: 'f' } }],
      files: [{ name: 'x', url: 'y' }],
      pointsMin: 1,
      pointsMax: 2,
      tiebreakEligible: false,
      tiebreakChoice: false,
      sortWeight: 1.5,
      hidden: true,
      releaseAt: Date.UTC(2026, 0, 2),
      scoringKind: 'dynamic',
      scoringSecret: 'k',
      instancerConfig: { a: 1 },
      adminBotConfig: { b: 2 },
      tags: ['t'],
      waveId: 'w',
      prerequisites: ['c2'],
      lockedShown: true,
      version: 4,
    },
    expect.objectContaining({
      id: 'c2',
      sortWeight: null,
      releaseAt: null,
      tags: null,
      scoringKind: 'decay',
    }),
  ])
  expect(rows.rows?.find(({ of }) => of === waveRows)?.rows).toEqual([
    {
      id: 'w',
      name: 'Wave',
      openAt: Date.UTC(2026, 0, 2),
      announce: true,
      forward: false,
      countdown: true,
      title: 'T',
      text: null,
      announcedAt: null,
      announcementId: null,
      version: 1,
      createdAt: expect.any(Number),
    },
  ])
  const scoredAt = Date.UTC(2026, 0, 3)
  const feed = { challengeId: 'c1', teamId: 't2', points: 5, scoredAt, delta: -2, tickAt: scoredAt + 5000 }
  const events = [
    { id: 1, challengeId: 'c1', teamId: 't2', delta: 7, at: scoredAt },
    { id: 2, challengeId: 'c1', teamId: 't2', delta: -2, at: scoredAt + 5000 },
  ]
  expect(rows.feed).toEqual([feed])
  const [columns] = rows.feedColumns ?? []
  expect(columns?.length).toBe(2)
  for (const [index, { id: eventId, delta, at }] of events.entries()) {
    const { teamNumbers, challengeNumbers } = columns ?? {}
    expect([teamNumbers?.[index], challengeNumbers?.[index]]).toEqual([2, 1])
    expect([columns?.ids[index], columns?.delta[index], columns?.at[index]]).toEqual([eventId, delta, at])
  }
  const world = createWorld(rules, rows, 0)
  expect([lastFeedEvent(world, 'c1'), lastFeedEvent(world, 'c2')]).toEqual([2, 0])
  expect(await readFeed(db, ['c1', 'c2'])).toEqual([feed])
  expect(await readFeedEvents(db, ['c1'])).toEqual(events)
  expect(await readFeed(db, ['c2'])).toEqual([])
  expect(rows.settings).toEqual({ ctfName: 'X' })
})

test('an empty contest has no rows, and its log position is zero', async () => {
  await using database = await openTestDatabase()
  const { rows, position } = await loadWorldRows(database.db, rowKinds)
  expect(position).toEqual({ seq: 0, mark: null })
  expect(rows.solveColumns).toEqual([])
  expect(rows.settings).toEqual({})
})

test('solves of several blocks equal those read as rows', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into teams (id, name, email, division) select 't' || i, 'Team ' || i, i || '@b.test', 'open'
    from generate_series(1, 1000) i`)
  await db.query(sql`insert into challenges (id) select 'c' || i from generate_series(1, 70) i`)
  await db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip, global_place, division_place, assisted)
    select ('00000000-0000-7000-8000-' || lpad((t * 100 + c)::text, 12, '0'))::uuid, 'c' || c, 't' || t,
      timestamptz '1999-12-31T23:59:00.000999Z' + t * interval '1 minute' + c * interval '1 second', '127.0.0.1',
      case when t > 1 then t end, case when t > 2 then c end, t = 3
    from generate_series(1, 1000) t, generate_series(1, 70) c`)

  const { rows } = await loadWorldRows(db, rowKinds)
  const teams = new Map(rows.teams.map((team) => [team.n, team.id]))
  const challenges = new Map(rows.challenges.map((challenge) => [challenge.n, challenge.id]))
  const blocks = rows.solveColumns ?? []
  expect(blocks.map((block) => block.length)).toEqual([65_536, 70_000 - 65_536])
  const found = new Map<string, object>()
  for (const block of blocks) {
    for (let i = 0; i < block.length; i += 1) {
      const challengeId = challenges.get(block.challengeNumbers[i])
      const teamId = teams.get(block.teamNumbers[i])
      const hex = Buffer.from(block.ids.subarray(16 * i, 16 * i + 16)).toString('hex')
      found.set(`${challengeId} ${teamId}`, {
        id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        challengeId,
        teamId,
        createdAt: block.createdAt[i],
        globalRank: block.globalRanks[i] || null,
        divisionRank: block.divisionRanks[i] || null,
        isAssisted: block.assisted[i] === 1,
      })
    }
  }
  expect(found.size).toBe(70_000)
  const pairs = [1, 2, 3, 999, 1000].map((t) => ({ challengeId: `c${(t % 70) + 1}`, teamId: `t${t}` }))
  const read = await readSolves(db, [...pairs, { challengeId: 'c1', teamId: 'nobody' }])
  expect(read).toHaveLength(5)
  for (const row of read) expect(found.get(`${row.challengeId} ${row.teamId}`)).toEqual(row)
  expect(found.get('c2 t1')).toMatchObject({ id: id(102), globalRank: null })
})

test('a failed load leaves the connections of the pool usable', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`alter table solves rename to moved`)
  await expect(loadWorldRows(db, rowKinds)).rejects.toThrow('solves')
  await db.query(sql`alter table moved rename to solves`)
  await Promise.all(Array.from({ length: 10 }, () => loadWorldRows(db, rowKinds)))
})
