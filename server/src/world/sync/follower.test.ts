import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { eventually } from '../../../test/eventually.ts'
import { end, rules, start } from '../../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { recordLog } from '../../../test/log.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { createMemoryBus } from '../../kv/memory-bus.ts'
import { orderedId } from '../../lib/uuid.ts'
import { startFollower, WORLD_CHANNEL, type Follower } from './follower.ts'
import { loadWorldRows } from './load.ts'
import type { WorldView } from '../model.ts'
import type { Solve } from '../reads.ts'
import { createWorld } from '../fold/world.ts'
import { featureKinds, rowKindsOf } from '../../wiring/kinds.ts'

const rowKinds = rowKindsOf(featureKinds)

let database: TestDatabase
let db: Database
let now = start + MINUTE_MS
const followers: Follower[] = []

beforeEach(async () => {
  database = await openTestDatabase()
  ;({ db } = database)
  now = start + MINUTE_MS
})

afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close()
  await database[Symbol.asyncDispose]()
})

async function follow({ own = db, bus = createMemoryBus(), pollMs = 60_000 } = {}) {
  const { log, lines } = recordLog()
  const follower = await startFollower({ db: own, rules, rowKinds, now: () => now, log, bus, pollMs })
  followers.push(follower)
  return { follower, bus, lines }
}

/** Leaves out ranks that are not recorded yet, which an edit may change: follower-ranks.test.ts compares them. */
function withoutRanks(row: Solve) {
  return { ...row, globalRank: null, divisionRank: null }
}

/** Everything that readers can see. */
function toldBy(world: WorldView) {
  const teamIds = [...world.teams()].map(({ id }) => id).sort()
  const ranked = world.ranked({ offset: 0, limit: 10_000 })
  return {
    settings: world.settings,
    times: [world.startTime, world.endTime],
    ranked,
    graph: world.graph(ranked, 5 * MINUTE_MS),
    teams: teamIds.map((id) => ({
      row: world.team(id),
      standing: world.standing(id),
      solves: world.solvesOfTeam(id),
      dynamic: world.dynamicScores(id),
    })),
    challenges: world.challenges().map((challenge) => ({
      challenge,
      solves: world.solvesOfChallenge(challenge.id).slice(0, 10_000).map(withoutRanks),
    })),
  }
}

async function toldByDatabase() {
  return toldBy(createWorld(rules, (await loadWorldRows(db, rowKinds)).rows, now))
}

async function addTeam(id: string) {
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into teams (id, name, email, division) values (${id}, ${`Team ${id}`}, ${`${id}@b.test`}, 'open')
      on conflict do nothing`)
    tx.changed('teams', [id])
  })
}

async function addChallenge(id: string) {
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into challenges (id, name, points_min, points_max) values (${id}, ${id}, 100, 500) on conflict do nothing`)
    tx.changed('challenges', [id])
  })
}

async function solve(challengeId: string, teamId: string) {
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into solves (id, challenge_id, team_id, created_at, ip)
      select ${orderedId()}::uuid, c.id, t.id, to_timestamp(${now / 1000}::float8), '::1'
      from teams t, challenges c where t.id = ${teamId} and c.id = ${challengeId}
      on conflict do nothing`)
    tx.changed('solves', [challengeId, teamId])
  })
}

/** Everything that happens to a contest, and occasionally ids that do not exist. */
async function happen(dice: (sides: number) => number) {
  const team = `t${dice(12)}`
  const challenge = `c${dice(6)}`
  const action = dice(20)
  if (action < 9) return await solve(challenge, team)
  if (action === 9) return await addTeam(team)
  if (action === 10) return await addChallenge(challenge)
  await db.change(async (tx) => {
    if (action === 11) {
      await tx.query(sql`delete from teams where id = ${team}`)
      tx.changed('teams', [team])
    } else if (action === 12) {
      await tx.query(sql`delete from challenges where id = ${challenge}`)
      tx.changed('challenges', [challenge])
    } else if (action === 13) {
      const rows = await tx.query<{ c: string }>(
        sql`delete from solves where team_id = ${team} returning challenge_id as c`,
      )
      tx.changed(
        'solves',
        rows.flatMap(({ c }) => [c, team]),
      )
    } else if (action === 14) {
      await tx.query(sql`update teams set banned = not banned, perms = perms + 1 where id = ${team}`)
      tx.changed('teams', [team])
    } else if (action === 15) {
      await tx.query(sql`
        update challenges set hidden = not hidden, points_max = ${400 + dice(100)}, version = version + 1
        where id = ${challenge}`)
      tx.changed('challenges', [challenge])
    } else if (action === 16) {
      await tx.query(sql`
        update challenges set scoring_kind = case scoring_kind when 'dynamic' then 'decay' else 'dynamic' end
        where id = ${challenge}`)
      tx.changed('challenges', [challenge])
    } else if (action === 17) {
      await tx.query(sql`update settings set data = jsonb_build_object('ctfName', ${String(dice(99))}::text)`)
      tx.changed('settings', [])
    } else {
      const delta = 1 + dice(9)
      await tx.query(sql`
        with event as (
          insert into feed_events (challenge_id, team_id, delta, at)
          select c.id, t.id, ${delta}, clock_timestamp() from teams t, challenges c
          where t.id = ${team} and c.id = ${challenge} returning *
        )
        insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at)
        select challenge_id, team_id, delta, at, delta, at from event
        on conflict (challenge_id, team_id) do update
          set points = feed_scores.points + excluded.points, delta = excluded.delta, tick_at = excluded.tick_at`)
      tx.changed(dice(3) === 0 ? 'feed' : 'pushes', [challenge])
    }
  })
}

function diceOf(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

test('followers under eight writers and deletions equal a rebuild', { timeout: 60_000 }, async () => {
  const bus = createMemoryBus()
  const { follower: first } = await follow({ bus })
  const { follower: second } = await follow({ bus })
  db.onChange(async () => {
    await first.catchUp()
    await bus.publish(WORLD_CHANNEL)
  })
  for (let i = 0; i < 12; i += 1) await addTeam(`t${i}`)
  for (let i = 0; i < 6; i += 1) await addChallenge(`c${i}`)

  for (let round = 0; round < 4; round += 1) {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const dice = diceOf(round * 100 + writer + 1)
      for (let i = 0; i < 25; i += 1) await happen(dice)
    })
    await Promise.all(writers)
    const rebuilt = await toldByDatabase()
    expect(toldBy(first.world())).toEqual(rebuilt)
    await second.catchUp()
    expect(toldBy(second.world())).toEqual(rebuilt)
    now += MINUTE_MS
  }
  expect(first.freshness()).toMatchObject({ loads: 1 })
  expect(second.freshness()).toMatchObject({ loads: 1, seq: first.freshness().seq })
})

test('catchUp includes everything committed before the call', async () => {
  const { follower } = await follow()
  db.onChange(() => follower.catchUp())
  await addChallenge('c')
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await addTeam(`t${i}`)
      expect(follower.world().team(`t${i}`)).toBeDefined()
      await solve('c', `t${i}`)
      expect(follower.world().solve('c', `t${i}`)).toBeDefined()
    }),
  )
  expect(follower.world().challenge('c')?.solveCount).toBe(40)
})

test('catchUp ends while others write faster than the database responds', async () => {
  let isDone = false
  let count = 0
  const busy: Database = {
    ...db,
    reserved: {
      // As on a slow network, something else was committed by the time each response arrives.
      async query(statement, limits) {
        const rows = await db.reserved.query(statement, limits)
        if (!isDone) await addTeam(`later${count++}`)
        return rows as never
      },
    },
  }
  const { follower } = await follow({ own: busy })
  await addTeam('first')
  await follower.catchUp()
  isDone = true
  expect(follower.world().team('first')).toBeDefined()
})

test('a push that arrives before its team is read again with the next push', async () => {
  const push = async (team: string, delta: number) => {
    await db.query(sql`
      insert into feed_events (challenge_id, team_id, delta, at) values ('c', ${team}, ${delta}, clock_timestamp())`)
    await db.query(sql`
      insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at)
      select challenge_id, team_id, delta, at, delta, at from feed_events where team_id = ${team}`)
  }
  const tell = (kind: string, id: string) =>
    db.query(sql`insert into changes (kind, ids) values (${kind}, array[${id}])`)
  await addTeam('t1')
  await addChallenge('c')
  await db.query(sql`update challenges set scoring_kind = 'dynamic'`)
  const { follower } = await follow()
  const points = (team: string) => follower.world().dynamicScore('c', team)?.points
  await push('t1', 5)
  await tell('pushes', 'c')
  // The team registers and scores after the follower has read the log and before it reads the rows.
  await db.query(sql`insert into teams (id, name, email, division) values ('t2', 'T2', 't2@b.test', 'open')`)
  await push('t2', 7)
  await follower.catchUp()
  expect([points('t1'), points('t2')]).toEqual([5, undefined])
  await tell('teams', 't2')
  await tell('pushes', 'c')
  await follower.catchUp()
  expect([points('t1'), points('t2')]).toEqual([5, 7])
  expect(toldBy(follower.world())).toEqual(await toldByDatabase())
})

test('a wake-up triggers a read', async () => {
  const { follower, bus } = await follow()
  await addTeam('t1')
  await bus.publish(WORLD_CHANNEL)
  await eventually(() => expect(follower.world().team('t1')).toBeDefined())
})

test('polling finds a change whose wake-up was lost', async () => {
  const { follower } = await follow({ pollMs: 20 })
  await addTeam('t1')
  await eventually(() => expect(follower.world().team('t1')).toBeDefined())
  expect(follower.freshness()).toMatchObject({ seq: 1, loads: 1 })
})

test('reads several pages of changes', async () => {
  await addTeam('t0')
  const { follower } = await follow()
  await db.query(sql`
    insert into teams (id, name, email, division) select 'x' || i, 'X' || i, i || '@x.test', 'open'
    from generate_series(1, 2500) i`)
  await db.query(
    sql`insert into changes (kind, ids) select 'teams', array['x' || i] from generate_series(1, 2500) i`,
  )
  await follower.catchUp()
  expect(follower.world().teamCount()).toBe(2501)
  expect(follower.freshness().loads).toBe(1)
})

test('rebuilds if the log was pruned past the last seen row, or if the log starts late', async () => {
  const { follower: early } = await follow()
  await addTeam('t1')
  const { follower: late } = await follow()
  await addTeam('t2')
  await addTeam('t3')
  await db.query(sql`delete from changes where seq <= 2`)
  await late.catchUp()
  expect(late.world().teamCount()).toBe(3)
  expect(late.freshness()).toMatchObject({ loads: 2, seq: 3 })

  await db.query(sql`insert into changes (kind, ids) select 'teams', '{}' from generate_series(1, 1500)`)
  await early.catchUp()
  expect(early.world().teamCount()).toBe(3)
  expect(early.freshness().loads).toBe(2)
})

test('a failover that lost rows causes a rebuild', async () => {
  await addTeam('t1')
  await addTeam('t2')
  const { follower } = await follow()
  // The new server does not have t2: its row and its change are lost.
  await db.query(sql`delete from teams where id = 't2'`)
  await db.query(sql`delete from changes where seq = 2`)
  await follower.catchUp()
  expect(follower.world().team('t2')).toBeUndefined()
  expect(follower.freshness()).toMatchObject({ loads: 2, seq: 1 })

  // It reuses the numbers for other rows before this follower reads again.
  await addTeam('t3')
  await follower.catchUp()
  await db.query(sql`delete from teams where id = 't3'`)
  await db.query(sql`update changes set at = at + interval '1 second' where seq = 3`)
  await follower.catchUp()
  expect(follower.world().team('t3')).toBeUndefined()
  expect(follower.freshness()).toMatchObject({ loads: 3, seq: 3 })
})

test('a challenge is public from its release time on', async () => {
  const { follower } = await follow()
  const releaseAt = start + 60 * MINUTE_MS
  await db.query(sql`
    insert into challenges (id, points_max, release_at) values ('c', 500, to_timestamp(${releaseAt / 1000}::float8))`)
  await db.query(sql`insert into changes (kind, ids) values ('challenges', '{c}')`)
  await follower.catchUp()
  expect(follower.world().nextReleaseAt()).toBe(releaseAt)
  now = releaseAt - 1
  expect(follower.world().publicChallenges()).toEqual([])
  now = releaseAt
  expect(
    follower
      .world()
      .publicChallenges()
      .map(({ id }) => id),
  ).toEqual(['c'])
  expect(follower.world().nextReleaseAt()).toBeNull()
  now = end
})

test(
  'an outage keeps the old world readable, is logged once, and ends without intervention',
  { timeout: 90_000 },
  async () => {
    await addTeam('t1')
    const own = await openDatabase({ url: database.url, log: recordLog().log, maxPoolSize: 2 })
    const { follower, lines } = await follow({ own, pollMs: 50 })
    const outages = () => lines.filter(({ level }) => level === 'error').length
    const name = new URL(database.url).pathname.slice(1)
    await db.query(sql`alter table changes rename to away`)
    await expect(follower.catchUp()).rejects.toThrow('changes')
    await expect(follower.catchUp()).rejects.toThrow('changes')
    expect(follower.world().team('t1')).toBeDefined()
    expect(outages()).toBe(1)

    await db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`)
    await db.query(sql`alter table away rename to changes`)
    await addTeam('t2')
    await eventually(() => expect(follower.world().team('t2')).toBeDefined())
    // Logged after the fold.
    await eventually(() => expect(lines.at(-1)?.message).toBe('the standings are up to date again'))
    expect(outages()).toBe(1)
    await own.close()
  },
)

test('does not poll after close', async () => {
  const { follower, bus } = await follow()
  await follower.close()
  await addTeam('t1')
  await bus.publish(WORLD_CHANNEL)
  await follower.catchUp()
  await setImmediate()
  expect(follower.world().team('t1')).toBeUndefined()
})
