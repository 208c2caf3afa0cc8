import {
  goodWaveCheck,
  goodWaveCheckStart,
  readWaveCheck,
  startWaveCheck,
  type WaveCheck,
} from '@pennant/contract/wave-checks.ts'
import * as contract from '@pennant/contract/waves.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import type { MockChallenge, MockWave, World } from '../world.ts'

function view(world: World, wave: MockWave): z.input<typeof contract.Wave> {
  const challenges = [...world.challenges.values()].filter(({ waveId }) => waveId === wave.id)
  return { ...wave, challengeIds: challenges.map(({ id }) => id) }
}

const byTime = (a: MockWave, b: MockWave) => (a.openAt ?? Infinity) - (b.openAt ?? Infinity) || 0

const next = on(contract.readNextWave, ({ world }) => {
  const found = world.waves
    .toSorted(byTime)
    .find(({ countdown, openAt }) => countdown && (openAt ?? 0) > Math.max(world.now(), world.startTime))
  if (!found) return contract.goodNextWave({ next: null })
  const count = [...world.challenges.values()].filter(
    ({ waveId, hidden }) => waveId === found.id && !hidden,
  ).length
  return contract.goodNextWave({ next: { name: found.name, opensAt: found.openAt ?? 0, count } })
})

const list = on(contract.listWaves, ({ world }) =>
  contract.goodWaves({ waves: world.waves.toSorted(byTime).map((wave) => view(world, wave)) }),
)

/** Writes the time of the wave into its challenges. */
function release(world: World, { id, openAt }: MockWave, challengeIds: readonly string[] | undefined): void {
  for (const challenge of world.challenges.values()) {
    const isMember = challengeIds ? challengeIds.includes(challenge.id) : challenge.waveId === id
    if (isMember)
      world.challenges.set(challenge.id, {
        ...challenge,
        waveId: id,
        releaseTime: openAt ?? contract.UNSCHEDULED,
      })
    else if (challenge.waveId === id) world.challenges.set(challenge.id, left(challenge))
  }
  world.version++
}

function left({ waveId, ...challenge }: MockChallenge): MockChallenge {
  const isNever = waveId !== undefined && challenge.releaseTime === contract.UNSCHEDULED
  return isNever ? { ...challenge, releaseTime: null, hidden: true } : challenge
}

function releasedOf(world: World, wave: MockWave, challengeIds: readonly string[] | undefined): string[] {
  const { now, startTime } = world
  if (now() < startTime || (wave.openAt !== null && wave.openAt <= now())) return []
  return [...world.challenges.values()]
    .filter(({ id, waveId }) => (challengeIds ? challengeIds.includes(id) : waveId === wave.id))
    .filter(({ hidden, releaseTime }) => !hidden && (releaseTime ?? 0) <= now())
    .map(({ id }) => id)
}

interface Save {
  readonly wave: MockWave
  readonly challengeIds: readonly string[] | undefined
  readonly force: boolean
}

function save(world: World, { wave, challengeIds, force }: Save) {
  const released = releasedOf(world, wave, challengeIds)
  if (released.length > 0 && !force) return contract.badWaveReleased({ challengeIds: released })
  if (world.waves.some(({ id, name }) => name === wave.name && id !== wave.id)) return contract.badWaveName()
  const at = world.waves.findIndex(({ id }) => id === wave.id)
  world.waves.splice(at < 0 ? world.waves.length : at, 1, wave)
  release(world, wave, challengeIds)
  return contract.goodWave({ wave: view(world, wave) })
}

const create = on(contract.createWave, ({ world, body: { data } }) => {
  const { challengeIds, force, ...texts } = data
  const id = world.nextId('wave')
  const meta = { id, version: 1, createdAt: world.now(), announcedAt: null, announcementId: null }
  return save(world, { wave: { ...texts, ...meta }, challengeIds, force })
})

const update = on(contract.updateWave, ({ world, params, body: { data } }) => {
  const old = world.waves.find(({ id }) => id === params.id)
  if (!old) return contract.badWave()
  const { challengeIds, force, version, ...patch } = data
  if (old.version !== version) return contract.badWaveVersion({ version: old.version })
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  const wave = { ...old, ...Object.fromEntries(given), version: version + 1 }
  return save(world, { wave, challengeIds, force })
})

const move = on(contract.moveWave, ({ world, params, body: { data } }) => {
  const old = world.waves.find(({ id }) => id === params.id)
  if (!old) return contract.badWave()
  if (old.version !== data.version) return contract.badWaveVersion({ version: old.version })
  if (old.openAt === null) return contract.badWaveUnscheduled()
  const wave = { ...old, openAt: old.openAt + data.byMs, version: old.version + 1 }
  const saved = save(world, { wave, challengeIds: undefined, force: data.force })
  return saved.reply === contract.badWaveName ? contract.badWave() : (saved as never)
})

const remove = on(contract.deleteWave, ({ world, params: { id } }) => {
  const at = world.waves.findIndex((wave) => wave.id === id)
  if (at < 0) return contract.badWave()
  for (const challenge of world.challenges.values())
    if (challenge.waveId === id) world.challenges.set(challenge.id, left(challenge))
  world.waves.splice(at, 1)
  return contract.goodWaveDelete()
})

/** When each wave was checked. */
const checkedAt = new WeakMap<World, Map<string, number>>()

function checkOf(world: World, id: string): z.input<typeof WaveCheck> {
  const at = checkedAt.get(world)?.get(id) ?? null
  const challenges = [...world.challenges.values()].filter(({ waveId }) => waveId === id)
  return {
    state: at === null ? 'never' : 'finished',
    startedAt: at,
    finishedAt: at === null ? null : at + 20_000,
    challenges: challenges.map((challenge, index) => ({
      id: challenge.id,
      name: challenge.name,
      state: at === null ? 'unchecked' : index === 1 ? 'outdated' : 'checked',
      checks: at === null ? [] : CHECKS.slice(index),
    })),
  }
}

const CHECKS = [
  {
    name: 'instance-start',
    severity: 'error' as const,
    finding: 'An instance of Guest book did not start: no such image.',
    remedy: 'Start one as a team and look at the log of the engine.',
  },
  {
    name: 'flag-trials',
    severity: 'warning' as const,
    finding: 'Nobody has solved these since their last change: Guest book.',
    remedy: 'Submit the flag of each as an organiser; that counts for no other team.',
  },
  { name: 'flag-values', severity: 'ok' as const, finding: '', remedy: '' },
  { name: 'challenge-files', severity: 'ok' as const, finding: 'Read 2 files.', remedy: '' },
]

const readCheck = on(readWaveCheck, ({ world, params: { id } }) =>
  world.waves.some((wave) => wave.id === id) ? goodWaveCheck(checkOf(world, id)) : contract.badWave(),
)

const startCheck = on(startWaveCheck, ({ world, params: { id } }) => {
  if (!world.waves.some((wave) => wave.id === id)) return contract.badWave()
  const known = checkedAt.get(world) ?? new Map<string, number>()
  checkedAt.set(world, known.set(id, world.now() - 60_000))
  return goodWaveCheckStart(checkOf(world, id))
})

export const waveEndpoints = [next, list, create, update, move, remove, readCheck, startCheck]
