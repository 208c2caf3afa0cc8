import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { instanceSettings, requireInstancer } from '../features/instances/settings.ts'
import {
  failure,
  messageOf,
  named,
  ok,
  unchecked,
  warning,
  type Check,
  type Finding,
  type Subject,
} from './check.ts'
import { databaseOf } from './database.ts'

const START_TIMEOUT_MS = 3 * MINUTE_MS
const POLL_MS = 1_000
/** No team has this id, so the instance belongs to nobody. */
const TEAM_ID = 'pennant-doctor'
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
      if (listing || hosts.length > 0) looked += 1
      const away = new Set([
        ...(listing?.unreachable ?? []),
        ...hosts.flatMap(({ host, isUp }) => (isUp ? [] : [host])),
      ])
      problems.push(...Array.from(away, (host) => `${host} of ${instancer.name}`))
      if (hosts.length > 0 && hosts.every(({ used, max }) => used >= max)) full.push(instancer.name)
    } catch (error) {
      problems.push(`${instancer.name}: ${messageOf(error)}`)
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

type Found = Parameters<typeof instanceSettings>[0] & { readonly name: string }

/** Starts an instance of the first visible challenge that has them, waits until it runs, and removes it. */
async function checkStart(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const instancers = await subject.instancers()
  if (!instancers) return NONE
  if (subject.withInstances !== true)
    return unchecked('No instance was started.', 'Run `pennant doctor --instances`.')
  const [challenge] = await databaseOf(subject).query<Found>(sql`
    select id, name, instancer_config as "instancerConfig" from challenges
    where not hidden and instancer_config is not null order by name limit 1`)
  const settings = challenge && instanceSettings(challenge)
  if (!challenge || !settings) return unchecked('No visible challenge has instances.')
  const engine = requireInstancer(instancers, settings)
  const { integrationId, config, expose, timeoutMs, extendable } = settings
  const key = { teamId: TEAM_ID, integrationId, config }
  const beganAt = subject.now()
  try {
    let { status } = await engine.create({ ...key, expose, timeoutMs, extendable, flags: [] })
    while (status === 'starting') {
      await delay(POLL_MS, undefined, { signal })
      status = (await engine.get(key)).status
    }
    if (status !== 'running') throw new Error(`the instance is ${status}`)
    return ok(`An instance of ${challenge.name} started in ${subject.now() - beganAt} ms.`)
  } catch (error) {
    return failure(
      `An instance of ${challenge.name} did not start: ${messageOf(error)}`,
      'Start one as a team and look at the log of the engine.',
    )
  } finally {
    await engine.delete(key).catch(() => {})
  }
}

export const instanceChecks: readonly Check[] = [
  { name: 'instancers', run: checkEngines },
  { name: 'instance-start', needsDatabase: true, timeoutMs: START_TIMEOUT_MS, run: checkStart },
]
