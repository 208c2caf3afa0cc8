import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { startContest, type Contest } from '../../../test/harness.ts'
import { keepLog } from '../../../test/log.ts'
import type { Housekeeping, ListedInstance } from '../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../providers/instancer/registry.ts'
import { prepareInstances } from './prepare.ts'
import { reconcile } from './reconcile.ts'
import { adoptSlot, listSlots } from './slots.ts'

const settings = { challengeIntegrationId: '', config: { size: 1 }, expose: [], timeoutMilliseconds: 60_000 }
const never = new AbortController().signal

let contest: Contest
let deleted: string[]
let listed: ListedInstance[] | null

beforeEach(async () => {
  contest = await startContest()
  deleted = []
  listed = []
  await putChallenge(contest.db, challengeRow('web', { instancerConfig: settings }))
})
afterEach(() => contest[Symbol.asyncDispose]())

const stopped = { status: 'stopped', timeLeftMs: null, endpoints: [] } as const

/** An engine that holds what the test says. */
function engines(house: Housekeeping = {}, name = 'main'): Instancers {
  const instancer: NamedInstancer = {
    name,
    canStop: true,
    canExtend: true,
    create: async () => stopped,
    get: async () => stopped,
    extend: async () => stopped,
    async delete({ teamId, integrationId }) {
      deleted.push(`${integrationId} ${teamId}`)
      return stopped
    },
  }
  const all = [{ instancer, house: { ...(listed && { list: async () => listed ?? [] }), ...house } }]
  return {
    defaultName: name,
    find: () => instancer,
    engines: () => all,
    describe: () => [],
    validate: (value) => ({ value }),
    close: async () => {},
  }
}

const deps = (instancers: Instancers) => {
  const { db, world, clock } = contest
  const caughtUp = () => contest.app.stores.follower.catchUp()
  return { db, world, caughtUp, maxWaitMs: 25_000, instancers, log: keepLog().log, now: () => clock.now() }
}
const round = (instancers = engines()) => reconcile(deps(instancers), never)
const running = (teamId: string, integrationId = 'web'): ListedInstance => ({
  teamId,
  integrationId,
  status: 'running',
  timeLeftMs: 30_000,
  host: null,
})
const book = async () =>
  (await listSlots(contest.db, contest.clock.now())).map(
    ({ integrationId, teamId }) => `${integrationId} ${teamId}`,
  )
const slot = (teamId: string, claimedAt = contest.clock.now()) => ({
  instancer: 'main',
  teamId,
  integrationId: 'web',
  challengeId: 'web',
  claimedAt: new Date(claimedAt),
  endsAt: new Date(contest.clock.now() + 3_600_000),
})

test('what belongs to nobody is removed: of deleted and banned teams, of challenges that are gone', async () => {
  const [keeps, banned] = [await contest.team(), await contest.team()]
  await contest.db.change(async (tx) => {
    await tx.query({ text: 'update teams set banned = true where id = $1', values: [banned.id] } as never)
    tx.changed('teams', [banned.id])
  })
  listed = [
    running(keeps.id),
    running('11111111-0000-7000-8000-000000000000'),
    running(banned.id),
    running(keeps.id, 'gone'),
  ]
  await round()
  expect(deleted).toEqual([
    'web 11111111-0000-7000-8000-000000000000',
    `web ${banned.id}`,
    `gone ${keeps.id}`,
  ])
})

test('a team that came elsewhere a moment ago keeps its instance, and so does everybody while nobody knows', async () => {
  const unknown = '11111111-0000-7000-8000-000000000000'
  listed = [running(unknown)]
  const { world } = contest
  const away = { ...deps(engines()), caughtUp: () => Promise.reject(new Error('away')) }
  await reconcile(away, never)
  expect(deleted).toEqual([])

  const team = await contest.team()
  listed = [running(team.id)]
  let isCaughtUp = false
  const behind = { team: () => undefined, challenges: () => [] } as never
  await reconcile(
    {
      ...deps(engines()),
      world: () => (isCaughtUp ? world() : behind),
      caughtUp: async () => {
        isCaughtUp = true
      },
    },
    never,
  )
  expect(deleted).toEqual([])
})

test('a start that waits for its turn keeps its place for as long as it may wait, and then for its start', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, slot(team.id, contest.clock.now() - 200_000))
  const patient = { ...deps(engines()), maxWaitMs: 120_000 }
  await reconcile(patient, never)
  expect(await book()).toEqual([`web ${team.id}`])
  await reconcile({ ...patient, maxWaitMs: 100_000 }, never)
  expect(await book()).toEqual([])
})

test('places without an instance are freed when no start can be under way any more', async () => {
  const [old, young] = [await contest.team(), await contest.team()]
  await adoptSlot(contest.db, slot(old.id, contest.clock.now() - 600_000))
  await adoptSlot(contest.db, slot(young.id))
  await round()
  expect(await book()).toEqual([`web ${young.id}`])
})

test('instances that the book does not know are taken in', async () => {
  const team = await contest.team()
  listed = [running(team.id)]
  await round()
  expect(await book()).toEqual([`web ${team.id}`])
  await round()
  expect(await book()).toEqual([`web ${team.id}`])
})

test('of an engine that cannot list the book says what to remove', async () => {
  listed = null
  const [keeps] = [await contest.team()]
  await adoptSlot(contest.db, slot(keeps.id, contest.clock.now() - 600_000))
  await adoptSlot(contest.db, slot('11111111-0000-7000-8000-000000000000'))
  await round()
  expect(deleted).toEqual(['web 11111111-0000-7000-8000-000000000000'])
  expect(await book()).toEqual([`web ${keeps.id}`])
})

test('an engine that is away is reported, and the book stays as it is', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, slot(team.id, contest.clock.now() - 600_000))
  const away = () => Promise.reject(new Error('away'))
  await expect(round(engines({ prune: away }))).rejects.toThrow('cannot be kept in order')
  await expect(round(engines({ list: away }))).rejects.toThrow('cannot be kept in order')
  expect(await book()).toEqual([`web ${team.id}`])
})

test('images are wanted of what is open or opens within half an hour, and of nothing else', async () => {
  const now = contest.clock.now()
  const config = (size: number) => ({ instancerConfig: { ...settings, config: { size } } })
  await putChallenge(contest.db, challengeRow('soon', { ...config(2), releaseAt: now + 20 * 60_000 }))
  await putChallenge(contest.db, challengeRow('later', { ...config(3), releaseAt: now + 60 * 60_000 }))
  await putChallenge(contest.db, challengeRow('hidden', { ...config(4), hidden: true }))
  const asked: unknown[] = []
  const instancers = engines({
    async prepare(configs) {
      asked.push(...configs)
    },
  })
  await prepareInstances(deps(instancers), never)
  expect(asked).toHaveLength(2)
  expect(asked).toEqual(expect.arrayContaining([{ size: 1 }, { size: 2 }]))
  const broken = engines({ prepare: () => Promise.reject(new Error('no such image')) })
  await expect(prepareInstances(deps(broken), never)).rejects.toThrow('not all challenges can be started')
})
