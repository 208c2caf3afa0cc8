import type { Log } from '../../../lib/log.ts'
import { ProviderError } from '../../provider.ts'
import type { Housekeeping, Json, ListedInstance } from '../instancer.ts'
import { usedOf, type Hosts, type Survey } from './hosts.ts'
import type { Images } from './images.ts'
import { InstanceConfig } from './instance-config.ts'
import type { Options } from './options.ts'
import { pruneHost } from './prune.ts'
import { removeInstance } from './remove-instance.ts'
import { detailsOf } from './read-instances.ts'

export interface HousekeepingContext {
  readonly hosts: Hosts
  readonly images: Images
  readonly options: Options
  readonly log: Log
  readonly now: () => number
}

/** What the port asks of an engine besides single instances. */
export function housekeeping(context: HousekeepingContext): Required<Housekeeping> {
  const { hosts, options, now } = context
  return {
    async list(signal) {
      const { up } = await hosts.survey(signal)
      return up.flatMap((survey) => listed(survey, now()))
    },

    async prune(signal) {
      await removeDoubled(context, signal)
      const removed = await Promise.allSettled(
        hosts.all.map(async (host) => pruneHost(hosts.calls(host, signal), { options, now: now() })),
      )
      const [failed] = removed.filter((result) => result.status === 'rejected')
      // Those that answer are clean all the same.
      if (failed) throw failed.reason
      return removed.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
    },

    prepare: (configs, signal) => prepareHosts(configs, context, signal),

    async capacity(signal) {
      const { up } = await hosts.survey(signal)
      return hosts.all.map((host) => {
        const survey = up.find((each) => each.host === host)
        const used = survey ? usedOf(survey) : 0
        return { host: host.name, used, max: host.maxInstances, isUp: survey !== undefined }
      })
    },
  }
}

/** A machine that was away may come back with instances that were meanwhile started elsewhere: the newest stays. */
async function removeDoubled(
  { hosts, options, now }: HousekeepingContext,
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
    const { status, timeLeftMs } = detailsOf(found, now)
    return [{ teamId, integrationId, status, timeLeftMs, host: host.name }]
  })
}

/** Has all images of the configurations on every host, one after the other. Rejects with the first that cannot be had. */
async function prepareHosts(
  configs: readonly Json[],
  { hosts, images, options, log }: HousekeepingContext,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set([options.relayImage])
  for (const config of configs) {
    const checked = InstanceConfig.safeParse(config)
    if (!checked.success) continue
    for (const { image } of Object.values(checked.data.services)) wanted.add(image)
  }
  const failures: string[] = []
  for (const host of hosts.all)
    for (const image of wanted) {
      try {
        await images.ensure(host, image, signal)
      } catch (error) {
        log.warn({ host: host.name, image, err: error }, 'an image is not ready')
        failures.push(error instanceof ProviderError ? error.message : `The image ${image} is not ready.`)
      }
    }
  const [first] = failures
  if (first !== undefined) throw new ProviderError(first)
}
