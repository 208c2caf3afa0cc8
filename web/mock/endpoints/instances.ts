import {
  goodAdminInstances,
  listAdminInstances,
  stopAdminInstance,
} from '@pennant/contract/admin-instances.ts'
import * as contract from '@pennant/contract/instances.ts'
import { badChallenge, badEndpoint, badToken } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import { pairKey, publicChallenge, type MockInstance, type World } from '../world.ts'

const STARTS_MS = 4_000
const STOPS_MS = 2_000

type Status = z.output<typeof contract.InstanceStatus>

function statusOf(instance: MockInstance | undefined, now: number): Status {
  if (!instance) return 'stopped'
  if (instance.stoppedAt !== null) return now - instance.stoppedAt < STOPS_MS ? 'stopping' : 'stopped'
  if (now >= instance.endsAt) return 'stopped'
  if (now - instance.startedAt < STARTS_MS) return 'starting'
  return instance.isBroken ? 'errored' : 'running'
}

function stateOf(world: World, instance: MockInstance | undefined) {
  const status = statusOf(instance, world.now())
  const isRunning = status === 'running' && instance !== undefined
  const host = `${instance?.challengeId}.harbour.example`
  return contract.goodInstanceStatus({
    status,
    timeLeftMilliseconds: isRunning ? instance.endsAt - world.now() : null,
    endpoints: isRunning
      ? [
          { kind: 'https', host, port: 443, title: 'Front door' },
          { kind: 'tcp-ssl', host, port: 31_337, title: 'Service entrance' },
          { kind: 'tcp', host: '2001:db8::17', port: 4_000 },
        ]
      : [],
  })
}

const badState = contract.badInstancerError({ message: 'The harbour is full: no free berth on any host.' })

const read = on(contract.readInstance, ({ world, team, params }) => {
  if (!team) return badToken()
  const challenge = publicChallenge(world, params.id)
  if (!challenge) return badChallenge()
  if (!challenge.instancerConfig) return badEndpoint()
  return stateOf(world, world.instances.get(pairKey(team.id, params.id)))
})

const start = on(contract.startInstance, ({ world, team, params }) => {
  if (!team) return badToken()
  const settings = publicChallenge(world, params.id)?.instancerConfig
  if (!settings) return badChallenge()
  if (params.id === 'number-station') return badState
  const key = pairKey(team.id, params.id)
  const now = world.now()
  const before = world.instances.get(key)
  const isUp = ['starting', 'running'].includes(statusOf(before, now))
  const fresh = {
    teamId: team.id,
    challengeId: params.id,
    startedAt: now,
    endsAt: now + settings.timeoutMilliseconds,
    stoppedAt: null,
    isBroken: false,
  }
  const instance = isUp && before ? before : fresh
  world.instances.set(key, instance)
  return stateOf(world, instance)
})

const extend = on(contract.extendInstance, ({ world, team, params }) => {
  if (!team) return badToken()
  const settings = publicChallenge(world, params.id)?.instancerConfig
  if (!settings) return badChallenge()
  const key = pairKey(team.id, params.id)
  const before = world.instances.get(key)
  if (!before || statusOf(before, world.now()) !== 'running') return badState
  const instance = { ...before, endsAt: world.now() + settings.timeoutMilliseconds }
  world.instances.set(key, instance)
  return stateOf(world, instance)
})

function stopped(world: World, key: string) {
  const before = world.instances.get(key)
  if (!before) return stateOf(world, undefined)
  const instance = { ...before, stoppedAt: world.now() }
  world.instances.set(key, instance)
  return stateOf(world, instance)
}

const stop = on(contract.stopInstance, ({ world, team, params }) => {
  if (!team) return badToken()
  if (!publicChallenge(world, params.id)?.instancerConfig) return badChallenge()
  return stopped(world, pairKey(team.id, params.id))
})

const stopOfTeam = on(stopAdminInstance, ({ world, params }) =>
  world.challenges.has(params.challengeId)
    ? stopped(world, pairKey(params.userId, params.challengeId))
    : badChallenge(),
)

const listAll = on(listAdminInstances, ({ world, query }) => {
  const all = [...world.instances.values()]
    .filter((instance) => statusOf(instance, world.now()) !== 'stopped')
    .map((instance) => ({
      instancer: 'containers',
      host: 'berth-1',
      userId: instance.teamId,
      userName: world.teams.get(instance.teamId)?.name ?? null,
      challengeIntegrationId: instance.challengeId,
      challengeId: instance.challengeId,
      challengeName: world.challenges.get(instance.challengeId)?.name ?? null,
      status: statusOf(instance, world.now()),
      timeLeftMilliseconds: instance.endsAt - world.now(),
    }))
  return goodAdminInstances({
    total: all.length,
    instances: all.slice(query.offset, query.offset + query.limit),
    hosts: [
      { instancer: 'containers', host: 'berth-1', used: all.length, max: 40, isUp: true },
      { instancer: 'containers', host: 'berth-2', used: 0, max: 40, isUp: false },
    ],
  })
})

/** Number of instances in each state, for the dashboard. */
export function countInstances(world: World) {
  const states = [...world.instances.values()].map((instance) => statusOf(instance, world.now()))
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  return { running: count('running'), starting: count('starting'), errored: count('errored') }
}

const SCHEMA = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string', description: 'Name of the image, with its tag.' },
    memory: { type: 'integer', minimum: 16, maximum: 4096, default: 128, description: 'In MiB.' },
    network: { enum: ['none', 'internal', 'open'], default: 'internal' },
    readOnly: { type: 'boolean', default: true },
    environment: { type: 'object', additionalProperties: { type: 'string' } },
    command: { type: 'array', items: { type: 'string' } },
  },
}

const schema = on(contract.readInstancerSchema, () => {
  const defaults = { image: 'registry.harbour.example/example:1', memory: 128 }
  const one = { schema: SCHEMA, defaults }
  return contract.goodInstancerSchema({
    ...one,
    defaultInstancer: 'containers',
    instancers: [{ ...one, name: 'containers', canStop: true, canExtend: true }],
  })
})

export const instanceEndpoints = [read, start, extend, stop, listAll, stopOfTeam, schema]
