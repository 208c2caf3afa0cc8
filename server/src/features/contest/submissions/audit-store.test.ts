import { resultsByKind } from '@pennant/contract/admin-submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { challengeRow, rules, start, teamRow, worldRows } from '../../../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { createWorld } from '../../../world/fold/world.ts'
import type { Paging } from './audit-pages.ts'
import { everything, scopeOf, type AuditFilter } from './audit-scope.ts'
import { readAuditPage } from './audit-store.ts'
import { createTallies } from './audit-tallies.ts'

// Compares every page in every sort order with the complete list sorted in memory.

const world = createWorld(
  rules,
  worldRows({
    // Two challenges with the same name share a position in the order.
    challenges: [
      challengeRow('a', { name: 'Same' }),
      challengeRow('b', { name: 'same', category: 'web' }),
      challengeRow('c', { name: 'aaa' }),
      challengeRow('never', { name: 'zzz' }),
    ],
    teams: [teamRow('1', { name: 'Zed' }), teamRow('2', { name: 'alpha', banned: true }), teamRow('3')],
  }),
  start,
)

interface Row {
  readonly id: string
  readonly challenge: string
  readonly team: string
  readonly ip: string
  readonly kind: string
  readonly result: string
  readonly at: number
}

/** Deterministic pseudo-random numbers. */
function createChance() {
  let state = 1
  return (below: number) => (state = (state * 48271) % 2147483647) % below
}

const chance = createChance()
const pick = <T>(list: readonly T[]) => list[chance(list.length)] as T
const COUNT = 3000

const rows: Row[] = Array.from({ length: COUNT }, (_, at) => {
  const kind = chance(20) === 0 ? 'admin_bot' : 'flag'
  return {
    id: `00000000-0000-7000-8000-${String((at * 7919) % 100_003).padStart(12, '0')}`,
    challenge: pick(['a', 'b', 'c', 'gone']),
    team: pick(['1', '2', '3', '3', '3', 'lost']),
    ip: pick(['10.0.0.1', '10.0.0.2', 'unknown', '::1']),
    kind,
    result: pick(resultsByKind[kind]),
    // Many rows have the same timestamp, like those of one commit.
    at: start + chance(400) * 1000,
  }
})

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await insert(rows)
})
afterAll(() => database[Symbol.asyncDispose]())

async function insert(some: readonly Row[]) {
  const column = <K extends keyof Row>(key: K) => some.map((row) => row[key])
  await database.db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    select id, kind, challenge, team, ip, result, '{}', to_timestamp(at / 1000.0)
    from unnest(${column('id')}::uuid[], ${column('kind')}::text[], ${column('challenge')}::text[],
      ${column('team')}::text[], ${column('ip')}::text[], ${column('result')}::text[], ${column('at')}::bigint[])
      as t (id, kind, challenge, team, ip, result, at)`)
}

const keys: Record<Paging['sortBy'], (row: Row) => string | number> = {
  createdAt: ({ at }) => at,
  challenge: ({ challenge }) => (world.challenge(challenge)?.name ?? challenge).toLowerCase(),
  team: ({ team }) => (world.team(team)?.name ?? team).toLowerCase(),
  ip: ({ ip }) => ip,
  kind: ({ kind }) => kind,
  result: ({ result }) => result,
}

function sorted(list: readonly Row[], { sortBy, sortOrder }: Pick<Paging, 'sortBy' | 'sortOrder'>): string[] {
  const sign = sortOrder === 'asc' ? 1 : -1
  const tieSign = sortBy === 'createdAt' ? sign : -1
  const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1)
  const keyOf = keys[sortBy]
  return list
    .toSorted(
      (a, b) => sign * compare(keyOf(a), keyOf(b)) || tieSign * (compare(a.at, b.at) || compare(a.id, b.id)),
    )
    .map(({ id }) => id)
}

const now = () => start
const offsets = [0, 1, 49, 700, 1490, 1500, 2200, COUNT - 60, COUNT - 10, COUNT, COUNT + 10]
const orders = (Object.keys(keys) as Paging['sortBy'][]).flatMap((sortBy) =>
  (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
)

describe.each(orders)('by $sortBy, $sortOrder', (order) => {
  const filters: readonly (readonly [string, AuditFilter, (row: Row) => boolean])[] = [
    ['all rows', {}, () => true],
    ['a challenge', { challenge: { include: ['b'] } }, ({ challenge }) => challenge === 'b'],
    ['no banned team', { teamStatus: { exclude: ['banned'] } }, ({ team }) => team !== '2'],
    [
      'flags that were wrong or late, by one of two',
      { result: { include: ['incorrect', 'already_solved'] }, team: { include: ['3', 'lost'] } },
      ({ result, team }) => /incorrect|already/.test(result) && /3|lost/.test(team),
    ],
  ]
  test.each(filters)('%s', async (_name, filter, isMeant) => {
    const tallies = createTallies(now)
    const scope = scopeOf(world, { search: {}, filter }, { challenges: [], teams: [] })
    const wanted = sorted(rows.filter(isMeant), order)
    for (const offset of offsets) {
      const paging = { ...order, offset, limit: 60 }
      const page = await readAuditPage(database.db, tallies, { world, scope, paging })
      expect(page.total).toBe(wanted.length)
      expect(page.rows.map(({ id }) => id)).toEqual(wanted.slice(offset, offset + 60))
    }
  })
})

test('totals stay exact while concurrent transactions of any length add many rows', async () => {
  const tallies = createTallies(now)
  const read = async (sortBy: Paging['sortBy']) => {
    const paging = { sortBy, sortOrder: 'desc', limit: 1, offset: 0 } as const
    return (await readAuditPage(database.db, tallies, { world, scope: everything, paging })).total
  }
  const all = async () => [await read('createdAt'), await read('ip')]
  expect(await all()).toEqual([COUNT, COUNT])
  let added = 0
  const fresh = (count: number) =>
    sql`insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
      select gen_random_uuid(), 'flag', 'a', '1', 'new', 'incorrect', '{}', clock_timestamp()
      from generate_series(1, ${count}::integer)`
  for (const count of [1, 2500, 2500, 7]) {
    await database.db.transaction(async (tx) => {
      await tx.query(fresh(count))
      // Uncommitted rows are not counted yet, and are not missed later.
      expect(await all()).toEqual([COUNT + added, COUNT + added])
    })
    added += count
    expect(await all()).toEqual([COUNT + added, COUNT + added])
  }
})
