import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { recordLog } from '../../../../test/log.ts'
import type { Maintenance, InstanceStatus, ListedInstance } from '../../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { prepareInstances } from './prepare.ts'
import { reconcile } from './reconcile.ts'
import { adoptSlot, beginStop, claimSlot, listSlots } from './slots.ts'

const settings = { challengeIntegrationId: '', config: { size: 1 }, expose: [], timeoutMilliseconds: 60_000 }
const never = new AbortController().signal

let contest: Contest
let deleted: string[]
let listed: ListedInstance[] | null
let unreachable: string[]
/** Used when the engine is queried for single instances. */
let states: Map<string, InstanceStatus>
let lives: Map<string, number>

beforeEach(async () => {
  contest = await startContest()
  deleted = []
  listed = []
  unreachable = []
  states = new Map()
  lives = new Map()
  await putChallenge(contest.db, challengeRow('web', { instancerConfig: settings }))
})
afterEach(() => contest[Symbol.asyncDispose]())

const stopped = { status: 'stopped', timeLeftMs: null, endpoints: [] } as const

/** An engine that returns the state set by the test. */
function engines(maintenance: Maintenance = {}, name = 'main'): Instancers {
  const instancer: NamedInstancer = {
    name,
    canStop: true,
    canExtend: true,
    machines: () => Promise.resolve(null),
    create: async () => stopped,
    get: async ({ teamId }) => ({
      ...stopped,
      status: states.get(teamId) ?? 'stopped',
      timeLeftMs: lives.get(teamId) ?? null,
    }),
    extend: async () => stopped,
    async delete({ teamId, integrationId }) {
      deleted.push(`${integrationId} ${teamId}`)
      return stopped
    },
  }
  const all = [
    {
      instancer,
      maintenance: {
        ...(listed && { list: async () => ({ instances: listed ?? [], unreachable }) }),
        ...maintenance,
      },
    },
  ]
  return {
    defaultName: name,
    find: () => instancer,
    engines: () => all,
    describe: () => [],
    problemOf: () => null,
    onCall: () => {},
    close: async () => {},
  }
}

const deps = (instancers: Instancers) => {
  const { db, world, clock } = contest
  const caughtUp = () => contest.app.stores.follower.catchUp()
  return { db, world, caughtUp, instancers, log: recordLog().log, now: () => clock.now() }
}
const round = (instancers = engines()) => reconcile(deps(instancers), never)
const running = (teamId: string, integrationId = 'web'): ListedInstance => ({
  teamId,
  integrationId,
  status: 'running',
  timeLeftMs: 30_000,
  host: null,
})
const slots = async () =>
  (await listSlots(contest.db)).map(({ integrationId, teamId }) => `${integrationId} ${teamId}`)
const slot = (teamId: string) => ({
  instancer: 'main',
  teamId,
  integrationId: 'web',
  challengeId: 'web',
  startId: randomUUID(),
  claimedAt: new Date(contest.clock.now()),
  endsAt: new Date(contest.clock.now() + 3_600_000),
})
/** Claims a slot for a start with this deadline. */
const startFor = async (teamId: string, ms: number) => {
  const now = contest.clock.now()
  const start = { ...slot(teamId), now, startingUntil: new Date(now + ms) }
  await claimSlot(contest.db, start, { maxRunning: 100, maxPerTeam: 3 })
}

test('removes instances of deleted and banned teams and of challenges that are deleted or not open to the team', async () => {
  const own = { ...settings, challengeIntegrationId: 'hidden' }
  await putChallenge(contest.db, challengeRow('hidden', { instancerConfig: own, hidden: true }))
  const releaseAt = contest.clock.now() + 60_000
  await putChallenge(contest.db, challengeRow('later', { instancerConfig: settings, releaseAt }))
  // Another challenge that shares the instance is open.
  const shared = { ...settings, challengeIntegrationId: 'web' }
  await putChallenge(contest.db, challengeRow('shared', { instancerConfig: shared, hidden: true }))
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
    running(keeps.id, 'hidden'),
    running(keeps.id, 'later'),
  ]
  await round()
  expect(deleted.toSorted()).toEqual(
    [
      'web 11111111-0000-7000-8000-000000000000',
      `web ${banned.id}`,
      `gone ${keeps.id}`,
      `hidden ${keeps.id}`,
      `later ${keeps.id}`,
    ].toSorted(),
  )
})

test('keeps the instance of a team that another process just created, and all instances while changes cannot be read', async () => {
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

test('releases a slot when its instance is gone, but not while a start may still create it', async () => {
  const [gone, starting] = [await contest.team(), await contest.team()]
  await adoptSlot(contest.db, slot(gone.id))
  await startFor(starting.id, 100_000)
  await round()
  expect(await slots()).toEqual([`web ${starting.id}`])
  contest.clock.advance(100_000)
  await round()
  expect(await slots()).toEqual([])
})

test('keeps a slot past the end of its instance for as long as the engine lists it', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, slot(team.id))
  contest.clock.advance(7_200_000)
  listed = [{ ...running(team.id), status: 'stopping', timeLeftMs: null }]
  await round()
  expect(await slots()).toEqual([`web ${team.id}`])
  listed = []
  await round()
  expect(await slots()).toEqual([])
})

test('a host that does not respond keeps only the slots of its own instances', async () => {
  const [here, there, unknown] = [await contest.team(), await contest.team(), await contest.team()]
  await adoptSlot(contest.db, slot(unknown.id))
  listed = [
    { ...running(here.id), host: 'here' },
    { ...running(there.id), host: 'there' },
  ]
  await round()
  await round()
  listed = []
  unreachable = ['there']
  await adoptSlot(contest.db, slot(unknown.id))
  // A failed host does not prevent the other hosts from being processed.
  const failing = engines({ prune: () => Promise.reject(new Error('unreachable')) })
  await expect(round(failing)).rejects.toThrow('could not be reconciled')
  expect((await slots()).toSorted()).toEqual([`web ${there.id}`, `web ${unknown.id}`].toSorted())
  unreachable = []
  await round()
  expect(await slots()).toEqual([])
})

test('completes an interrupted stop once no other process can be working on it', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, slot(team.id))
  await beginStop(contest.db, slot(team.id), contest.clock.now())
  listed = [running(team.id)]
  await round()
  expect(deleted).toEqual([])
  contest.clock.advance(60_000)
  await round()
  expect(deleted).toEqual([`web ${team.id}`])
  expect(await slots()).toEqual([])
})

test('an instance that cannot be removed keeps its slot and does not block others', async () => {
  const [one, two] = ['11111111-0000-7000-8000-000000000000', '22222222-0000-7000-8000-000000000000']
  for (const id of [one, two]) await adoptSlot(contest.db, slot(id))
  listed = [running(one), running(two)]
  const instancers = engines()
  const { delete: remove } = instancers.find()!
  instancers.find()!.delete = (key) =>
    key.teamId === one ? Promise.reject(new ProviderError('Not now.')) : remove(key)
  states.set(one, 'running')
  await expect(round(instancers)).rejects.toThrow('could not be reconciled')
  expect(await slots()).toEqual([`web ${one}`])
})

test('adopts running instances without a slot', async () => {
  const team = await contest.team()
  listed = [running(team.id)]
  await round()
  expect(await slots()).toEqual([`web ${team.id}`])
  await round()
  expect(await slots()).toEqual([`web ${team.id}`])
})

test('queries an engine that cannot list for each instance that may be gone', async () => {
  listed = null
  const names = ['runs', 'gone', 'over', 'longer', 'ended', 'failed', 'stopping', 'stuck'] as const
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await contest.team()).id)
  const idOf = (name: (typeof names)[number]) => ids.get(name) ?? ''
  const nobody = '11111111-0000-7000-8000-000000000000'
  const past = { endsAt: new Date(contest.clock.now() + 1_000) }
  for (const name of ['runs', 'gone', 'stopping', 'stuck'] as const)
    await adoptSlot(contest.db, slot(idOf(name)))
  for (const name of ['over', 'longer', 'ended'] as const)
    await adoptSlot(contest.db, { ...slot(idOf(name)), ...past })
  await startFor(idOf('failed'), 1_000)
  await adoptSlot(contest.db, slot(nobody))
  for (const name of ['stopping', 'stuck'] as const)
    await beginStop(contest.db, slot(idOf(name)), contest.clock.now())
  for (const name of ['runs', 'over', 'longer', 'stuck'] as const) states.set(idOf(name), 'running')
  states.set(idOf('stopping'), 'stopping')
  lives.set(idOf('longer'), 30_000)
  contest.clock.advance(60_000)
  await round()
  expect(deleted.toSorted()).toEqual(
    [nobody, idOf('over'), idOf('stuck')].map((id) => `web ${id}`).toSorted(),
  )
  expect((await slots()).toSorted()).toEqual(
    [idOf('runs'), idOf('longer'), idOf('stopping')].map((id) => `web ${id}`).toSorted(),
  )
})

test('slots of an instancer that was removed from the configuration last until they expire', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, { ...slot(team.id), instancer: 'former' })
  await round()
  expect(await slots()).toEqual([`web ${team.id}`])
  contest.clock.advance(3_600_000)
  await round()
  expect(await slots()).toEqual([])
})

test('reports an unreachable engine and leaves the slots unchanged', async () => {
  const team = await contest.team()
  await adoptSlot(contest.db, slot(team.id))
  const away = () => Promise.reject(new Error('away'))
  await expect(round(engines({ list: away }))).rejects.toThrow('could not be reconciled')
  expect(await slots()).toEqual([`web ${team.id}`])
})

test('requests images only for challenges that are open or open within half an hour', async () => {
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
  await expect(prepareInstances(deps(broken), never)).rejects.toThrow('some challenges could not be prepared')
})
