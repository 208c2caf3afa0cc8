import { undoAction } from '@pennant/contract/actions.ts'
import {
  exportChallengeArchive,
  importChallengeArchive,
  type ArchiveField,
} from '@pennant/contract/challenge-archive.ts'
import { createClient } from '@pennant/contract/client.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql, { empty } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordAdminAction } from '../../src/db/admin-actions.ts'
import type { ChangeTransaction } from '../../src/db/database.ts'
import type { ArchiveKind } from '../../src/features/contest/kinds/archive-kind.ts'
import type { Kind } from '../../src/features/contest/kinds/kind.ts'
import type { StreamKind } from '../../src/features/contest/kinds/stream-kind.ts'
import type { UndoRule } from '../../src/features/contest/kinds/undo-kind.ts'
import type { RowKind, RowsByKey } from '../../src/world/row-kind.ts'
import { millis } from '../../src/world/rows.ts'
import { putChallenge, putSettings } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { readStream } from '../stream.ts'
import { zipOf } from '../zips.ts'

// A kind of row that only this test knows: one entry in the list takes it through everything that kinds have in common.

interface ToyRow {
  readonly id: string
  readonly teamId: string
  readonly points: number
  readonly at: number
}

const toyRows: RowKind<ToyRow, RowsByKey<ToyRow>> = {
  kind: 'toys',
  read: (db, teamIds) =>
    db.query<ToyRow>(sql`
      select id, team_id as "teamId", points, ${millis('at')} as at from toys
      ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`),
  keyOf: ({ teamId }) => teamId,
  compare: (a, b) => a.at - b.at,
  slice: (rows) => rows,
  isByTeam: true,
  score: ({ id, points, at }) => ({ id, points, at }),
  isIncludedAt: ({ at }, time) => at <= time,
  releases: (_slice, { id }) => (id === 'web' ? [noon + MINUTE_MS] : []),
}

/** Names the teams with toys, before and after. */
const toyEvents: StreamKind<'announcements', readonly string[]> = {
  name: 'announcements',
  entryKind: toyRows.kind,
  mayReceive: () => true,
  know: (ids, world) => ids.filter((id) => world.rows(toyRows).has(id)),
  data: ({ ids, known }, _receiver, { world }) => ({
    published: [],
    withdrawn: [...known, ...ids.filter((id) => world.rows(toyRows).has(id))],
  }),
}

const undoToy: UndoRule = ({ id }) => ({
  perms: ['settingsWrite'],
  async current(tx) {
    const [row] = await tx.query<{ points: number }>(sql`select points from toys where id = ${id}`)
    return row ?? null
  },
  async apply(tx, by) {
    const [row] = await tx.query<ToyRow>(sql`delete from toys where id = ${id} returning team_id as "teamId"`)
    tx.changed(toyRows, [row?.teamId ?? ''])
    await tx.query(recordAdminAction({ ...by, action: 'toy.delete', target: id }))
    return []
  },
})

/** The points of the toy with the id of the challenge. */
const toyArchive: ArchiveKind<number | null> = {
  field: 'toys' as ArchiveField,
  stored: (world) => pointsOf([...world.rows(toyRows).values()].flat()),
  fetch: () => Promise.resolve(() => null),
  async open(db) {
    const rows = await toyRows.read(db)
    return {
      valueOf: pointsOf(rows),
      versionOf: (id) => rows.find((row) => row.id === id)?.points,
      check: (planned) =>
        planned.flatMap(({ id, value }) =>
          typeof value === 'string' ? [{ id, reason: 'toys: must be a number' }] : [],
        ),
      async write(tx, id, { value }) {
        await tx.query(sql`
          insert into toys values (${id}, ${team.id}, ${value}, ${new Date(noon)})
          on conflict (id) do update set points = excluded.points`)
        tx.changed(toyRows, [team.id])
        return true
      },
    }
  },
}

function pointsOf(rows: readonly ToyRow[]) {
  return ({ id }: { readonly id: string }) => rows.find((row) => row.id === id)?.points ?? null
}

const toyKind: Kind = {
  rows: [toyRows],
  events: [toyEvents],
  undo: { 'toy.create': undoToy },
  archive: toyArchive,
  nameOf: (id) => (id === 'bear' ? 'Bear' : undefined),
}

/** A process of the version before, which does not know the kind. */
let former: Contest
let contest: Contest
let team: Member

beforeEach(async () => {
  former = await startContest()
  await former.db.query(sql`
    create table toys (id text primary key, team_id text not null, points int not null, at timestamptz not null)`)
  contest = await startContest({ beside: former, kinds: [toyKind] })
  team = await contest.team()
  await putChallenge(contest.db, challengeRow('web'))
})
afterEach(async () => {
  await contest[Symbol.asyncDispose]()
  await former[Symbol.asyncDispose]()
})

const write = (work: (tx: ChangeTransaction) => Promise<void>) => contest.db.change(work)

function give(id: string, points: number, at = contest.clock.now()): Promise<void> {
  return write(async (tx) => {
    await tx.query(sql`insert into toys values (${id}, ${team.id}, ${points}, ${new Date(at)})`)
    tx.changed(toyRows, [team.id])
    await tx.query(
      recordAdminAction({
        actorId: null,
        ip: null,
        action: 'toy.create',
        target: id,
        before: null,
        after: { points },
      }),
    )
  })
}

const shown = () => contest.app.stores.shown()
const idsIn = (world = contest.world()) => (world.rows(toyRows).get(team.id) ?? []).map(({ id }) => id)
const scoreIn = (world = contest.world()) => world.standing(team.id).score

test('follows rows in order, scores and ranks them, and drops those of a deleted team', async () => {
  await give('late', 5, noon + 1)
  expect(contest.world().standing(team.id)).toMatchObject({ score: 5, globalRank: 1 })
  await give('early', -2, noon)
  expect([idsIn(), scoreIn()]).toEqual([['early', 'late'], 3])
  await write(async (tx) => {
    await tx.query(sql`delete from teams where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  expect([idsIn(), contest.world().rankedCount()]).toEqual([[], 0])
})

test('loads what another process has written', async () => {
  await give('bear', 7)
  await using other = await startContest({ beside: former, kinds: [toyKind] })
  expect([idsIn(other.world()), scoreIn(other.world())]).toEqual([['bear'], 7])
  await former.app.stores.follower.catchUp()
  expect([idsIn(former.world()), scoreIn(former.world())]).toEqual([[], 0])
})

test('releases by the clock, and counts for the challenge', () => {
  expect(contest.world().challenge('web')?.released).toEqual({})
  const { versions } = contest.world()
  contest.clock.advance(2 * MINUTE_MS)
  expect(contest.world().challenge('web')?.released).toEqual({ toys: 1 })
  expect(contest.world().versions.challenges).toBeGreaterThan(versions.challenges)
})

test('is cut off at a freeze', async () => {
  await give('before', 4)
  await putSettings(contest.db, { freezeTime: noon + MINUTE_MS })
  contest.clock.advance(2 * MINUTE_MS)
  await give('after', 9)
  expect([idsIn(shown()), scoreIn(shown())]).toEqual([['before'], 4])
  expect([idsIn(), scoreIn()]).toEqual([['before', 'after'], 13])
})

test('sends its event with the position of the entry, and knows what was there before', async () => {
  const stream = await readStream(contest.url)
  await stream.next('hello')
  await give('bear', 7)
  const first = await stream.next('announcements')
  expect([first.data.withdrawn, first.id]).toEqual([[team.id], expect.any(String)])
  await stream.next('leaderboard')
  await write(async (tx) => {
    await tx.query(sql`delete from toys`)
    tx.changed(toyRows, [team.id])
  })
  expect((await stream.next('announcements')).data.withdrawn).toEqual([team.id])
  stream.close()
  const resumed = await readStream(contest.url, { lastEventId: first.id })
  expect((await resumed.next('announcements')).data.withdrawn).toEqual([team.id])
  resumed.close()
})

test('is undone through the action log, under its current name', async () => {
  await give('bear', 7)
  const { token } = await contest.admin()
  const [entry] = await contest.db.query<{ id: number }>(sql`
    select id from admin_actions where action = 'toy.create'`)
  const undone = await contest.call(undoAction, { token, params: { id: String(entry?.id) } })
  expect(undone).toMatchObject({
    kind: 'goodActionUndo',
    data: { action: { action: 'toy.delete', targets: [{ id: 'bear', name: 'Bear' }] } },
  })
  expect([idsIn(), scoreIn()]).toEqual([[], 0])
  const again = await contest.call(undoAction, { token, params: { id: String(entry?.id) } })
  expect(again.kind).toBe('badActionChanged')
})

test('is imported and exported with its challenge, and compared with what is stored', async () => {
  const { token } = await contest.admin()
  // Unchecked, because the contract does not know the field.
  const call = createClient({ baseUrl: contest.url })
  const send = (archive: Buffer) => {
    const form = new FormData()
    form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
    return call(importChallengeArchive, { token, query: {}, form })
  }
  const yamlOf = (toys: string) =>
    zipOf([
      {
        name: 'web/web/challenge.yaml',
        content: `category: ${challengeRow('web').category}\ntoys: ${toys}\n`,
      },
    ])
  expect(await send(yamlOf('4'))).toMatchObject({
    kind: 'goodChallengeArchiveImport',
    data: { challenges: [{ id: 'web', state: 'changed', fields: ['toys'] }] },
  })
  expect([idsIn(), scoreIn()]).toEqual([['web'], 4])
  const exported = await contest.call(exportChallengeArchive, { token, query: { ids: 'web' } })
  const archive = Buffer.from(await (exported.data as unknown as Blob).arrayBuffer())
  expect(await send(archive)).toMatchObject({ data: { challenges: [{ state: 'unchanged', fields: [] }] } })
  expect(await send(yamlOf('many'))).toMatchObject({
    kind: 'badChallengeArchive',
    data: { problems: [{ path: 'web/web/challenge.yaml', reason: 'toys: must be a number' }] },
  })
})
