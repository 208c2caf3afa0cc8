import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ProviderError } from '../../provider.ts'
import type { InstanceDetails, InstanceOrder } from '../instancer.ts'
import { build, type BuildContext } from './build.ts'
import { EngineError, isNameTaken } from './engine.ts'
import { emptiest, type Host, type Hosts, type Survey, type Surveys } from './hosts.ts'
import type { Images } from './images.ts'
import { PrivilegedInstance, type InstanceConfig } from './instance-config.ts'
import { claimLabels, instanceIdOf, labelsOf, untilLabels } from './names.ts'
import { noteBody } from './bodies.ts'
import type { Options } from './options.ts'
import { planInstance, type Plan } from './plan.ts'
import { detailsOf } from './read-instances.ts'
import { removeInstance } from './remove-instance.ts'

/** Somebody else on the host may hold a port that looked free. */
const MAX_TRIES = 4
/** Cleaning up after a failure goes on when the caller's time is over. */
const ROLLBACK_LIMIT_MS = 60_000
const MAX_LOOKS = 3
const LOOK_AGAIN_MS = 500

export interface CreateContext {
  readonly hosts: Hosts
  readonly images: Images
  readonly options: Options
  readonly now: () => number
  /** At least 0, below 1. */
  readonly chance: () => number
}

/** Of a port that was taken by somebody else. */
const PORT_TAKEN = /already allocated|address already in use/i

/** Starts an instance where there is most room. Rejects with a ProviderError, and leaves nothing behind then. */
export async function createInstance(
  order: InstanceOrder,
  context: CreateContext,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  // What may be in it was decided when it was saved.
  const checked = PrivilegedInstance.safeParse(order.config)
  if (!checked.success) throw new ProviderError('The configuration of the instance is not valid any more.')
  const config = checked.data
  for (let tries = 1; ; tries++) {
    try {
      return await createOnce(order, config, { ...context, signal })
    } catch (error) {
      if (tries < MAX_TRIES && error instanceof EngineError && PORT_TAKEN.test(error.message)) continue
      throw error instanceof EngineError
        ? new ProviderError(`The container engine refused: ${error.message}`, { cause: error })
        : error
    }
  }
}

interface Attempt extends CreateContext {
  readonly signal: AbortSignal
}

async function createOnce(
  order: InstanceOrder,
  config: InstanceConfig,
  attempt: Attempt,
): Promise<InstanceDetails> {
  const { hosts, images, options, now, chance, signal } = attempt
  const id = instanceIdOf(options.manager, order)
  const surveys = await hosts.survey(signal)
  refuseExisting(surveys, id, now())
  const target = emptiest(surveys.up)
  if (!target) throw new ProviderError('All places for instances are taken. Try again when one is free.')
  const { host } = target
  const takePort = portTaker(target, options.ports, chance)
  const plan = planInstance(config, order.expose, {
    id,
    publicHost: host.publicHost,
    traefik: options.traefik,
    takePort,
  })
  const wanted = new Set(Object.values(config.services).map(({ image }) => image))
  if (plan.published.length > 0) wanted.add(options.relayImage)
  for (const image of wanted) await images.ensure(host, image, signal)

  const calls = hosts.calls(host, signal)
  const start = randomUUID()
  try {
    await claim({ order, config, plan, id, start }, host, attempt)
    if (hosts.all.length > 1) await withdrawFromRace(id, host, attempt)
    const building: BuildContext = { calls, options, id, nonce: now().toString(36), host }
    await build({ order, config, plan }, building)
  } catch (error) {
    if (!(error instanceof LostRace)) await rollBack({ id, start }, host, attempt)
    throw error
  }
  const after = await hosts.survey(signal, id)
  return detailsOf(after.up.find((survey) => survey.host === host)?.instances.get(id), now())
}

function refuseExisting({ up }: Surveys, id: string, now: number): void {
  for (const { instances } of up) {
    const found = instances.get(id)
    if (!found?.claim) continue
    const isGoing = detailsOf(found, now).status === 'stopping'
    throw new ProviderError(
      isGoing ? 'The instance is still stopping. Try again in a moment.' : 'The instance is there already.',
    )
  }
}

interface Claim {
  readonly order: InstanceOrder
  readonly config: InstanceConfig
  readonly plan: Plan
  readonly id: string
  readonly start: string
}

/** Somebody else has the claim: nothing of it is ours to remove. */
class LostRace extends ProviderError {}

/** The container's name is unique in the engine: of two processes one gets it. */
async function claim({ order, config, plan, id, start }: Claim, host: Host, attempt: Attempt): Promise<void> {
  const { hosts, options, now, signal } = attempt
  const { teamId, integrationId, timeoutMs } = order
  const services = Object.values(config.services)
  const image = services[0]?.image ?? options.relayImage
  const parts = services.length + (plan.published.length > 0 ? 1 : 0)
  const { endpoints } = plan
  const labels = {
    ...labelsOf(options.manager, id, 'claim'),
    ...untilLabels(now() + timeoutMs),
    ...claimLabels({ teamId, integrationId, claimedAt: now(), start, parts, endpoints, image }),
  }
  try {
    await hosts.calls(host, signal).createContainer(`${options.manager}-${id}`, noteBody(image, labels))
  } catch (error) {
    if (error instanceof EngineError && isNameTaken(error))
      throw new LostRace('The instance is being started already.', { cause: error })
    throw error
  }
}

/** Names are unique on one host only. Whoever sees another claim after making its own gives way. */
async function withdrawFromRace(id: string, host: Host, { hosts, signal }: Attempt): Promise<void> {
  const { up } = await hosts.survey(signal, id)
  const others = up.filter((survey) => survey.host !== host && survey.instances.get(id)?.claim)
  if (others.length > 0)
    throw new ProviderError('The instance was started twice at the same time. Try again in a moment.')
}

/**
 * Removes what this start has made. What the engine was still busy with when the caller gave up comes later, so it
 * looks again; what comes later still is for those who keep house.
 */
async function rollBack(
  { id, start }: { readonly id: string; readonly start: string },
  host: Host,
  { hosts, options, now }: Attempt,
): Promise<void> {
  const signal = AbortSignal.timeout(ROLLBACK_LIMIT_MS)
  // Nobody has used it yet: no grace.
  const quick = { ...options, stopGrace: 0 }
  const look = async () => {
    const { up } = await hosts.survey(signal, id)
    const found = up.find((survey) => survey.host === host)?.instances.get(id)
    const isOurs = found && (found.facts === null || found.facts.start === start)
    if (isOurs) await removeInstance(found, { calls: hosts.calls(host, signal), options: quick, now: now() })
  }
  for (let looks = 1; looks <= MAX_LOOKS; looks++) {
    // A container that is just being started, or its network, may refuse to go; the caller hears why the start failed.
    await look().catch(() => {})
    if (looks < MAX_LOOKS) await delay(LOOK_AGAIN_MS)
  }
}

/** Ports of the range that no instance on the host has, in random order: two processes rarely meet. */
function portTaker(
  { instances }: Survey,
  { from, to }: Options['ports'],
  chance: () => number,
): () => number {
  const used = new Set(
    [...instances.values()].flatMap(({ facts }) => facts?.endpoints.map(({ port }) => port) ?? []),
  )
  const count = to - from + 1
  return () => {
    const start = Math.floor(chance() * count)
    for (let step = 0; step < count; step++) {
      const port = from + ((start + step) % count)
      if (used.has(port)) continue
      used.add(port)
      return port
    }
    throw new ProviderError('All ports for instances are taken. Try again when one is free.')
  }
}
