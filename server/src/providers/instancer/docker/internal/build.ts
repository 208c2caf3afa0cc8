import type { Expose, InstanceOrder } from '../../instancer.ts'
import { ProviderError } from '../../../provider.ts'
import { serviceBody, type Place } from './bodies.ts'
import { relayBody } from './relay.ts'
import { tmpfsForImage, volumeOptions } from './disk.ts'
import { EngineError } from './engine.ts'
import type { Labels } from './engine-calls.ts'
import type { InstanceConfig } from './instance-config.ts'
import { healthLabels, INSTANCE, labelsOf, MANAGER } from './names.ts'
import { fillIn, teamValues, type ExposedHostname } from '../../team-values.ts'
import { createNetworks, createRelayNetwork, type CreatedNetwork, type BuildContext } from './networks.ts'
import { bytesOf, nanosecondsOf } from './sizes.ts'
import type { Plan } from './plan.ts'
import { traefikLabels } from './traefik.ts'

export interface Building {
  readonly order: InstanceOrder
  readonly config: InstanceConfig
  readonly plan: Plan
  /** The paths that each image declares as volumes. */
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
}

/**
 * Creates and starts everything of an instance except its claim. Rejects at the first failure and does not
 * clean up.
 */
export async function build(building: Building, context: BuildContext): Promise<void> {
  const { config, plan } = building
  const networks = await createNetworks(plan.networks, context)
  const volumes = await createVolumes(config, context)
  const environmentOf = environments(building)
  for (const name of Object.keys(config.services))
    await startService(name, { building, networks, volumes, environmentOf }, context)
  const proxy = context.options.traefik?.container
  if (proxy !== undefined && plan.routed.length > 0) {
    const routed = new Set(plan.routed.map(({ service }) => service))
    for (const { plan: planned, engineName } of networks)
      if (planned.isEntry && planned.services.some((service) => routed.has(service)))
        await context.calls.connect(engineName, proxy, null)
  }
  await startRelay(plan, networks, context)
}

async function createVolumes(
  { volumes }: InstanceConfig,
  { calls, options: { manager, allowPrivileged }, id, nonce }: BuildContext,
): Promise<Labels> {
  const names: Record<string, string> = {}
  for (const [name, volume] of Object.entries(volumes)) {
    const engineName = `${manager}-${id}-${nonce}-${name}`
    await calls.createVolume({
      Name: engineName,
      Driver: 'local',
      DriverOpts: volumeOptions(volume, allowPrivileged),
      Labels: { [MANAGER]: manager, [INSTANCE]: id },
    })
    names[name] = engineName
  }
  return names
}

/** Docker: `--storage-opt is supported only for …`; Podman: `storage option overlay.size … only supported for …`. */
const NO_QUOTA = /storage[- ]opt|unknown option size/i

type EnvironmentOf = (service: string) => Readonly<Record<string, string>>

function environments({ order, config, plan }: Building): EnvironmentOf {
  const exposed = order.expose.map((entry: Expose, at): ExposedHostname => {
    const { host = '', port = 0 } = plan.endpoints[at] ?? {}
    return { ...entry, host, port }
  })
  const values = teamValues(order.flags, exposed)
  return (service) =>
    Object.fromEntries(
      Object.entries(config.services[service]?.environment ?? {}).map(([key, text]) => [
        key,
        fillIn(text, values),
      ]),
    )
}

interface Parts {
  readonly building: Building
  readonly networks: readonly CreatedNetwork[]
  readonly volumes: Labels
  readonly environmentOf: EnvironmentOf
}

async function startService(name: string, parts: Parts, context: BuildContext): Promise<void> {
  const { building, networks, volumes, environmentOf } = parts
  const { calls, options, id, nonce } = context
  const service = building.config.services[name]
  if (!service) return
  const own = networks.filter(({ plan }) => plan.services.includes(name))
  const [first, ...others] = own
  const entryNetwork = own.find(({ plan }) => plan.isEntry)
  const routed = building.plan.routed.filter((route) => route.service === name)
  const place: Place | null = first
    ? { network: first.engineName, address: first.addressOf(name), alias: name }
    : null
  const body = serviceBody({
    name,
    service,
    labels: {
      ...labelsOf(options.manager, id, 'service'),
      ...(service.healthcheck && healthLabels(nanosecondsOf(service.healthcheck.interval) / 1e6)),
      ...(options.traefik ? traefikLabels(routed, entryNetwork?.engineName, options.traefik) : {}),
    },
    environment: environmentOf(name),
    place,
    hosts: own.flatMap((network) =>
      network.plan.services
        .filter((other) => other !== name)
        .map((other) => `${other}:${network.addressOf(other)}`),
    ),
    volumes,
    tmpfs: options.allowPrivileged
      ? {}
      : tmpfsForImage(service, building.imageVolumes.get(service.image) ?? []),
    writableBytes: options.writableLayerSize === undefined ? null : bytesOf(options.writableLayerSize),
  })
  const container = `${options.manager}-${id}-${nonce}-${name}`
  try {
    await calls.createContainer(container, body)
    for (const network of others) await calls.connect(network.engineName, container, network.addressOf(name))
    await calls.startContainer(container)
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    throw new ProviderError(
      NO_QUOTA.test(cause.message)
        ? `The service ${name} could not be started: the engine cannot limit its disk, so read_only must be true`
        : `The service ${name} could not be started. Please tell the organisers.`,
      { cause },
    )
  }
}

async function startRelay(
  { published }: Plan,
  networks: readonly CreatedNetwork[],
  context: BuildContext,
): Promise<void> {
  if (published.length === 0) return
  const { calls, options, id, nonce } = context
  const ingressNetworks = networks.filter(
    ({ plan }) => plan.isEntry && published.some(({ service }) => plan.services.includes(service)),
  )
  const addressed = published.map((entry) => ({
    ...entry,
    address:
      ingressNetworks.find(({ plan }) => plan.services.includes(entry.service))?.addressOf(entry.service) ??
      '',
  }))
  const container = `${options.manager}-${id}-${nonce}.relay`
  const body = relayBody({
    image: options.relayImage,
    labels: labelsOf(options.manager, id, 'relay'),
    network: await createRelayNetwork(context),
    published: addressed,
  })
  await calls.createContainer(container, body)
  for (const network of ingressNetworks)
    await calls.connect(network.engineName, container, network.relayAddress)
  await calls.startContainer(container)
}
