import { ProviderError } from '../../../provider.ts'
import { EngineError } from './engine.ts'
import type { EngineCalls, NewNetwork } from './engine-calls.ts'
import { bridgeOf, INSTANCE, MANAGER, relayBridgeOf } from './names.ts'
import type { Options } from './options.ts'
import type { PlannedNetwork } from './plan.ts'
import { subnetsFor, type Subnet } from './subnets.ts'

/** So many conflicts in a row mean that the pool is nearly exhausted. */
const MAX_SUBNET_TRIES = 64
/** Address 1 of each network; services follow. */
const RELAY_ADDRESS = 1

const SUBNET_TAKEN = /overlap|already (being )?used|in use|conflict/i
const UNKNOWN_GATEWAY_MODE = /gateway.?mode/i

export interface CreatedNetwork {
  readonly plan: PlannedNetwork
  readonly engineName: string
  readonly relayAddress: string | null
  /** Null when the engine chooses. */
  addressOf(service: string): string
}

/** Identifies the start that creates objects, and where. */
export interface BuildContext {
  readonly calls: EngineCalls
  readonly options: Options
  readonly id: string
  /**
   * Distinguishes names of this start from those of an earlier one that is still being removed. Random, so
   * that other teams cannot guess a container's name.
   */
  readonly nonce: string
}

export async function createNetworks(
  plans: readonly PlannedNetwork[],
  context: BuildContext,
): Promise<CreatedNetwork[]> {
  const made: CreatedNetwork[] = []
  for (const plan of plans) if (plan.services.length > 0) made.push(await createNetwork(plan, context))
  return made
}

async function createNetwork(plan: PlannedNetwork, context: BuildContext): Promise<CreatedNetwork> {
  const { options, id, nonce } = context
  const { name, driver, isInternal } = plan
  const engineName = `${options.manager}-${id}-${nonce}-${name}`
  const network = {
    name: engineName,
    driver,
    isInternal,
    // Ours last: the firewall matches the bridge by its name.
    options: { ...plan.options, ...bridgeOptions(bridgeOf(`${id}${nonce}`, name, isInternal), isInternal) },
    labels: { [MANAGER]: options.manager, [INSTANCE]: id },
  }
  return createdNetworkOf(plan, engineName, await createInFreeSubnet(network, context))
}

async function createInFreeSubnet(
  network: Omit<NewNetwork, 'subnet'>,
  context: BuildContext,
): Promise<Subnet> {
  let tries = 0
  for (const subnet of subnetsFor(context.options.subnets, network.name)) {
    if (++tries > MAX_SUBNET_TRIES) break
    if (await tryNetwork({ ...network, subnet: subnet.cidr }, context)) return subnet
  }
  throw new ProviderError('No subnet is available for another instance.')
}

/**
 * Every bridge gets a known name, for the host's firewall. Newer Docker isolates the host from internal ones
 * itself.
 */
function bridgeOptions(bridge: string, isInternal: boolean): Record<string, string> {
  const named = { 'com.docker.network.bridge.name': bridge }
  return isInternal ? { ...named, 'com.docker.network.bridge.gateway_mode_ipv4': 'isolated' } : named
}

/** False when the subnet is in use. */
async function tryNetwork(network: NewNetwork, context: BuildContext): Promise<boolean> {
  try {
    await context.calls.createNetwork(network)
    return true
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (
      UNKNOWN_GATEWAY_MODE.test(error.message) &&
      'com.docker.network.bridge.gateway_mode_ipv4' in network.options
    ) {
      const { 'com.docker.network.bridge.gateway_mode_ipv4': _, ...options } = network.options
      return tryNetwork({ ...network, options }, context)
    }
    if (SUBNET_TAKEN.test(error.message)) return false
    throw error
  }
}

function createdNetworkOf(plan: PlannedNetwork, engineName: string, subnet: Subnet): CreatedNetwork {
  return {
    plan,
    engineName,
    relayAddress: plan.isEntry ? subnet.address(RELAY_ADDRESS) : null,
    addressOf: (service) => subnet.address(RELAY_ADDRESS + 1 + plan.services.indexOf(service)),
  }
}

/**
 * The network of the relay, with outside access. Each instance has its own: on a bridge that relays share, the
 * address of the host changes when one of them ends, and the others lose their connections for half a minute.
 */
export async function createRelayNetwork(context: BuildContext): Promise<string> {
  const { options, id, nonce } = context
  const name = `${options.manager}-${id}-${nonce}-_relay`
  const network = {
    name,
    driver: 'bridge',
    isInternal: false,
    options: { 'com.docker.network.bridge.name': relayBridgeOf(`${id}${nonce}`) },
    labels: { [MANAGER]: options.manager, [INSTANCE]: id },
  }
  await createInFreeSubnet(network, context)
  return name
}
