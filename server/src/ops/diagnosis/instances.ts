import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { CHECK_TEAM_ID } from '../../features/engines/instances/owners.ts'
import { instanceSettings, requireInstancer } from '../../features/engines/instances/settings.ts'
import type { InstanceKey, InstanceOrder } from '../../providers/instancer/instancer.ts'
import type { NamedInstancer } from '../../providers/instancer/registry.ts'
import type { FlagEntry } from '../../providers/flags/flags.ts'
import { isChecked, shownName } from './scope.ts'
import { failure, named, ok, unchecked, warning, type Check, type Finding, type Subject } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'
import { databaseOf } from './database.ts'

const START_TIMEOUT_MS = 3 * MINUTE_MS
/** The rest of the time is for stopping it. */
const MAX_STARTING_MS = 2 * MINUTE_MS
const MAX_STOPPING_MS = 45_000
/** An instance that is left behind, because the process was killed, ends after this time. */
const LIFETIME_MS = 5 * MINUTE_MS
const POLL_MS = 1_000
const NONE = unchecked('No instancer is configured.')

async function checkEngines(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const instancers = await subject.instancers()
  if (!instancers) return NONE
  const problems: string[] = []
  const full: string[] = []
  let looked = 0
  for (const { instancer, maintenance } of instancers.engines()) {
    try {
      const listing = await maintenance.list?.(signal)
      const hosts = (await maintenance.capacity?.(signal)) ?? []
      await maintenance.check?.(signal)
      if (listing || hosts.length > 0 || maintenance.check) looked += 1
      const away = new Set([
        ...(listing?.unreachable ?? []),
        ...hosts.flatMap(({ host, isUp }) => (isUp ? [] : [host])),
      ])
      problems.push(...Array.from(away, (host) => `${host} of ${instancer.name}`))
      if (hosts.length > 0 && hosts.every(({ used, max }) => used >= max)) full.push(instancer.name)
    } catch (error) {
      problems.push(`${instancer.name}: ${reasonOf(error)}`)
    }
  }
  if (problems.length > 0)
    return failure(
      `Engines do not respond: ${named(problems)}.`,
      'Check `instancers` and that each engine runs.',
    )
  if (full.length > 0)
    return warning(
      `Engines have no room: ${named(full)}.`,
      'Add a machine or stop instances that nobody uses.',
    )
  return looked > 0
    ? ok()
    : unchecked('The engines do not report their state.', 'Run `pennant doctor --instances`.')
}

type Found = Parameters<typeof instanceSettings>[0] & {
  readonly name: string
  readonly flags: readonly FlagEntry[]
}

/** Starts an instance of the first challenge that has them, waits until it runs, and stops it. */
async function checkStart(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const instancers = await subject.instancers()
  if (!instancers) return NONE
  if (subject.withInstances !== true)
    return unchecked('No instance was started.', 'Run `pennant doctor --instances`.')
  const [challenge] = await databaseOf(subject).query<Found>(sql`
    select id, ${shownName}, flags, instancer_config as "instancerConfig" from challenges c
    where ${isChecked(subject)} and instancer_config is not null order by name limit 1`)
  const settings = challenge && instanceSettings(challenge)
  if (!challenge || !settings) return unchecked('No visible challenge has instances.')
  const engine = requireInstancer(instancers, settings)
  const { integrationId, config, expose, timeoutMs, extendable } = settings
  const key = { teamId: CHECK_TEAM_ID, integrationId, config }
  const order = {
    ...key,
    expose,
    timeoutMs: Math.min(timeoutMs || LIFETIME_MS, LIFETIME_MS),
    extendable,
    // The real ones need not get into a container for this.
    flags: challenge.flags.map(({ provider }) => ({ provider, flag: 'flag{check}' })),
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MAX_STARTING_MS)])
  const beganAt = performance.now()
  let tookMs: number
  try {
    await started(engine, order, deadline)
    tookMs = Math.round(performance.now() - beganAt)
  } catch (error) {
    await stopped(engine, key).catch(() => {})
    return failure(
      `An instance of ${challenge.name} did not start: ${failureOf(error)}`,
      'Start one as a team and look at the log of the engine.',
    )
  }
  const took = `An instance of ${challenge.name} started in ${tookMs} ms`
  try {
    await stopped(engine, key)
  } catch (error) {
    return failure(
      `${took}, but did not stop: ${reasonOf(error)}`,
      `It ends after ${LIFETIME_MS / MINUTE_MS} minutes. Look at the log of the engine.`,
    )
  }
  return ok(engine.canStop ? `${took} and stopped.` : `${took}; this instancer stops none early.`)
}

async function started(engine: NamedInstancer, order: InstanceOrder, signal: AbortSignal): Promise<void> {
  let { status } = await engine.create(order)
  while (status === 'starting') {
    await delay(POLL_MS, undefined, { signal })
    status = (await engine.get(order)).status
  }
  if (status !== 'running') throw new Error(`the instance is ${status}`)
}

/** Stops it and waits until it is gone, with a time limit of its own: also after an aborted check. */
async function stopped(engine: NamedInstancer, key: InstanceKey): Promise<void> {
  if (!engine.canStop) return
  const signal = AbortSignal.timeout(MAX_STOPPING_MS)
  let { status } = await engine.delete(key)
  while (status === 'stopping') {
    await delay(POLL_MS, undefined, { signal })
    status = (await engine.get(key)).status
  }
  if (status !== 'stopped') throw new Error(`the instance is ${status}`)
}

export const instanceChecks: readonly Check[] = [
  { name: 'instancers', run: checkEngines },
  { name: 'instance-start', needsDatabase: true, timeoutMs: START_TIMEOUT_MS, run: checkStart },
]

/** Includes what the engine said, which players do not see. */
function failureOf(error: unknown): string {
  const detail = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${reasonOf(error)}${detail}`
}
