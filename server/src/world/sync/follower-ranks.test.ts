import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { end, rules, start } from '../../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { recordLog } from '../../../test/log.ts'
import type { Database } from '../../db/database.ts'
import { createMemoryBus } from '../../kv/memory-bus.ts'
import { orderedId } from '../../lib/uuid.ts'
import { startFollower, type Follower } from './follower.ts'
import type { WorldView } from '../model.ts'
import { featureKinds, rowKindsOf } from '../../wiring/kinds.ts'

const rowKinds = rowKindsOf(featureKinds)

let database: TestDatabase
let db: Database
const followers: Follower[] = []

beforeEach(async () => {
  database = await openTestDatabase()
  ;({ db } = database)
  await db.query(sql`
    insert into teams (id, name, email, division)
    select 't' || n, 'Team ' || n, n || '@b.test', 'open' from generate_series(0, 8) n`)
  await db.query(sql`
    insert into challenges (id, points_min, points_max) select 'c' || n, 100, 500 from generate_series(0, 2) n`)
})

afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close()
  await database[Symbol.asyncDispose]()
})

async function follow(): Promise<Follower> {
  const follower = await startFollower({
    rowKinds,
    db,
    rules,
    now: () => end,
    log: recordLog().log,
    bus: createMemoryBus(),
    pollMs: 60_000,
  })
  followers.push(follower)
  return follower
}

/** All in one millisecond, as at peak load: the order of the log decides. */
async function solve(number: number) {
  const [challengeId, teamId] = [`c${number % 3}`, `t${Math.floor(number / 3)}`]
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into solves (id, challenge_id, team_id, created_at, ip)
      values (${orderedId()}::uuid, ${challengeId}, ${teamId}, to_timestamp(${start / 1000}::float8), '::1')`)
    tx.changed('solves', [challengeId, teamId])
  })
}

function solvesIn(world: WorldView) {
  return world.challenges().flatMap(({ id }) => world.solvesOfChallenge(id).slice(0, 100))
}

/** Records ranks like the worker. */
async function recordRanks(world: WorldView) {
  const solves = solvesIn(world)
  await db.change(async (tx) => {
    for (const { id, globalRank, divisionRank } of solves) {
      await tx.query(sql`
        update solves set global_place = ${globalRank}, division_place = ${divisionRank} where id = ${id}::uuid`)
    }
    tx.changed(
      'solves',
      solves.flatMap(({ challengeId, teamId }) => [challengeId, teamId]),
    )
  })
}

test('processes agree on unrecorded ranks, however late they read or start', async () => {
  const first = await follow()
  db.onChange(() => first.catchUp())
  const second = await follow()
  // Each number once, in pseudo-random order.
  const numbers = Array.from({ length: 27 }, (_, index) => (index * 10 + 4) % 27)

  for (const number of numbers.slice(0, 6)) await solve(number)
  // The second process reads this edit and the solves around it in one page.
  await db.change(async (tx) => {
    await tx.query(sql`update teams set banned = true where id = 't8'`)
    tx.changed('teams', ['t8'])
  })
  for (const number of numbers.slice(6, 12)) await solve(number)
  await second.catchUp()
  expect(solvesIn(second.world())).toEqual(solvesIn(first.world()))

  await recordRanks(first.world())
  for (const number of numbers.slice(12)) await solve(number)
  await second.catchUp()
  expect(solvesIn(second.world())).toEqual(solvesIn(first.world()))
  expect(solvesIn(first.world()).every(({ globalRank }) => globalRank !== null)).toBe(true)
  const third = await follow()
  expect(solvesIn(third.world())).toEqual(solvesIn(first.world()))
})
