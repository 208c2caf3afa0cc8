import type { Expose, InstanceOrder } from '../instancer.ts'
import { ProviderError } from '../../provider.ts'
import { relayBody, serviceBody, type Place } from './bodies.ts'
import { EngineError } from './engine.ts'
import type { EngineCalls, Labels } from './engine-calls.ts'
import type { Host } from './hosts.ts'
import type { InstanceConfig } from './instance-config.ts'
import { INSTANCE, labelsOf, MANAGER } from './names.ts'
import { fillIn, teamValues, type ExposedHostname } from './placeholders.ts'
import { makeNetworks, relayNetworkOf, type MadeNetwork } from './networks.ts'
import type { Options } from './options.ts'
import type { Plan } from './plan.ts'
import { traefikLabels } from './traefik.ts'

export interface BuildContext {
  readonly calls: EngineCalls
  readonly options: Options
  readonly id: string
  /** Parts names of this start from those of an earlier one that is still being removed. */
  readonly nonce: string
  readonly host: Host
}

export interface Building {
  readonly order: InstanceOrder
  readonly config: InstanceConfig
  readonly plan: Plan
}

/** Makes and starts everything of an instance but its claim. Rejects at the first failure and removes nothing. */
export async function build(building: Building, context: BuildContext): Promise<void> {
  const { config, plan } = building
  const networks = await makeNetworks(plan.networks, context)
  const volumes = await makeVolumes(config, context)
  const environmentOf = environments(building)
  for (const name of Object.keys(config.services))
    await startService(name, { building, networks, volumes, environmentOf }, context)
  const proxy = context.options.traefik?.container
  if (proxy !== undefined && plan.routed.length > 0) {
    const routed = new Set(plan.routed.map(({ service }) => service))
    for (const { plan: planned, engineName } of networks)
      if (planned.isWayIn && planned.services.some((service) => routed.has(service)))
        await context.calls.connect(engineName, proxy, null)
  }
  await startRelay(plan, networks, context)
}

async function makeVolumes(
  { volumes }: InstanceConfig,
  { calls, options: { manager }, id, nonce }: BuildContext,
): Promise<Labels> {
  const names: Record<string, string> = {}
  for (const [name, { driver, driver_opts }] of Object.entries(volumes)) {
    const engineName = `${manager}-${id}-${nonce}-${name}`
    await calls.createVolume({
      Name: engineName,
      Driver: 'local',
      DriverOpts: driver === 'tmpfs' ? { type: 'tmpfs', device: 'tmpfs', ...driver_opts } : driver_opts,
      Labels: { [MANAGER]: manager, [INSTANCE]: id },
    })
    names[name] = engineName
  }
  return names
}

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
  readonly networks: readonly MadeNetwork[]
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
  const wayIn = own.find(({ plan }) => plan.isWayIn)
  const routed = building.plan.routed.filter((route) => route.service === name)
  const place: Place | null = first
    ? { network: first.engineName, address: first.addressOf(name), alias: name }
    : null
  const body = serviceBody({
    name,
    service,
    labels: {
      ...labelsOf(options.manager, id, 'service'),
      ...(options.traefik && wayIn ? traefikLabels(routed, wayIn.engineName, options.traefik) : {}),
    },
    environment: environmentOf(name),
    place,
    hosts: own.flatMap((network) =>
      network.plan.services
        .filter((other) => other !== name)
        .map((other) => `${other}:${network.addressOf(other)}`),
    ),
    volumes,
  })
  const container = `${options.manager}-${id}-${nonce}-${name}`
  try {
    await calls.createContainer(container, body)
    for (const network of others) await calls.connect(network.engineName, container, network.addressOf(name))
    await calls.startContainer(container)
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    throw new ProviderError(`The service ${name} does not start: ${cause.message}`, { cause })
  }
}

async function startRelay(
  { published }: Plan,
  networks: readonly MadeNetwork[],
  context: BuildContext,
): Promise<void> {
  if (published.length === 0) return
  const { calls, options, id, nonce } = context
  const ways = networks.filter(
    ({ plan }) => plan.isWayIn && published.some(({ service }) => plan.services.includes(service)),
  )
  const addressed = published.map((entry) => ({
    ...entry,
    address: ways.find(({ plan }) => plan.services.includes(entry.service))?.addressOf(entry.service) ?? '',
  }))
  const container = `${options.manager}-${id}-${nonce}.relay`
  const body = relayBody({
    image: options.relayImage,
    labels: labelsOf(options.manager, id, 'relay'),
    network: await relayNetworkOf(context),
    published: addressed,
  })
  await calls.createContainer(container, body)
  for (const way of ways) await calls.connect(way.engineName, container, way.relayAddress)
  await calls.startContainer(container)
}
