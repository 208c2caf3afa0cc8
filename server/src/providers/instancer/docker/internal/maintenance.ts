import type { z } from 'zod'
import type { Log } from '../../../../lib/log.ts'
import { ProviderError } from '../../../provider.ts'
import type { Maintenance, Json, ListedInstance } from '../../instancer.ts'
import { readConfig } from '../../read-config.ts'
import { usedOf, type Hosts, type Survey } from './hosts.ts'
import type { Images } from './images.ts'
import type { InstanceConfig } from './instance-config.ts'
import { portOf } from './names.ts'
import type { Options } from './options.ts'
import { pruneHost } from './prune.ts'
import { removeInstance } from './remove-instance.ts'
import { detailsOf } from './read-instances.ts'

export interface MaintenanceContext {
  readonly hosts: Hosts
  readonly images: Images
  readonly config: z.ZodType<InstanceConfig>
  readonly options: Options
  readonly log: Log
  readonly now: () => number
}

/** The maintenance calls of the port. */
export function maintenance(context: MaintenanceContext): Required<Omit<Maintenance, 'check'>> {
  const { hosts, options, now } = context
  return {
    async list(signal) {
      const { up, down } = await hosts.survey(signal)
      return {
        instances: up.flatMap((survey) => listed(survey, now())),
        unreachable: down.map(({ name }) => name),
      }
    },

    async prune(signal) {
      await removeDoubled(context, signal)
      const removed = await Promise.allSettled(
        hosts.all.map(async (host) => pruneHost(hosts.calls(host, signal), { options, now: now() })),
      )
      const [failed] = removed.filter((result) => result.status === 'rejected')
      // The hosts that responded are cleaned up anyway.
      if (failed) throw failed.reason
      return removed.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
    },

    prepare: (configs, signal) => prepareHosts(configs, context, signal),

    async capacity(signal) {
      const { up } = await hosts.query(signal)
      return hosts.all.map((host) => {
        const survey = up.find((each) => each.host === host)
        const used = survey ? usedOf(survey) : 0
        const avoidedPorts = survey?.avoided.map(portOf) ?? []
        return {
          host: host.name,
          used,
          max: host.maxInstances,
          isUp: survey !== undefined,
          ...(avoidedPorts.length > 0 && { avoidedPorts }),
        }
      })
    },
  }
}

/**
 * A host that was unreachable may return with instances that were meanwhile started elsewhere; the newest is
 * kept.
 */
async function removeDoubled(
  { hosts, options, now }: MaintenanceContext,
  signal: AbortSignal,
): Promise<void> {
  if (hosts.all.length === 1) return
  const { up } = await hosts.survey(signal)
  const newest = new Map<string, number>()
  const claims = up.flatMap(({ host, instances }) =>
    [...instances.values()].flatMap((found) =>
      found.facts ? [{ host, found, at: found.facts.claimedAt }] : [],
    ),
  )
  for (const { found, at } of claims) newest.set(found.id, Math.max(at, newest.get(found.id) ?? 0))
  const older = claims.filter(({ found, at }) => at < (newest.get(found.id) ?? 0))
  for (const { host, found } of older)
    await removeInstance(found, { calls: hosts.calls(host, signal), options, now: now() })
}

function listed({ host, instances }: Survey, now: number): ListedInstance[] {
  return [...instances.values()].flatMap((found) => {
    if (!found.facts) return []
    const { teamId, integrationId } = found.facts
    const { status, timeLeftMs, restarts } = detailsOf(found, now)
    return [
      {
        teamId,
        integrationId,
        status,
        timeLeftMs,
        host: host.name,
        ...(restarts !== undefined && { restarts }),
      },
    ]
  })
}

/**
 * Pulls the images of all configurations to every host, one after the other. Rejects with the first failure,
 * which may be a refused configuration.
 */
async function prepareHosts(
  configs: readonly Json[],
  { hosts, images, config: schema, options, log }: MaintenanceContext,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set([options.relayImage])
  const failures: string[] = []
  for (const config of configs)
    try {
      for (const { image } of Object.values(readConfig(schema, config).services)) wanted.add(image)
    } catch (error) {
      log.warn({ err: error }, 'the instance configuration of a challenge is invalid')
      failures.push(messageOf(error))
    }
  for (const host of hosts.all)
    for (const image of wanted) {
      try {
        await images.ensure(host, image, signal)
      } catch (error) {
        log.warn({ host: host.name, image, err: error }, 'could not prepare an image')
        failures.push(messageOf(error, `The image ${image} could not be prepared.`))
      }
    }
  const [first] = failures
  if (first !== undefined) throw new ProviderError(first)
}

function messageOf(
  error: unknown,
  otherwise = 'The instance configuration of a challenge is invalid.',
): string {
  return error instanceof ProviderError ? error.message : otherwise
}
