import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { ProviderError, UncertainError } from '../../../provider.ts'
import { hostIdOf } from '../../host-names.ts'
import { readConfig } from '../../read-config.ts'
import type { Endpoint, InstanceDetails, InstanceOrder } from '../../instancer.ts'
import type { Log } from '../../../../lib/log.ts'
import { build } from './build.ts'
import { EngineError, isNameTaken } from './engine.ts'
import { leastLoaded, type Host, type Hosts, type Survey, type Surveys } from './hosts.ts'
import type { Images } from './images.ts'
import type { InstanceConfig } from './instance-config.ts'
import { avoidedPortLabels, claimLabels, instanceIdOf, labelsOf, portOf, untilLabels } from './names.ts'
import { labelContainerBody } from './bodies.ts'
import type { Options } from './options.ts'
import { planInstance, type Plan } from './plan.ts'
import { becomesAnswered, isAnswered } from './probe.ts'
import { detailsOf } from './read-instances.ts'
import { removeInstance } from './remove-instance.ts'

/** Another program on the host may use a port that looked free. */
const MAX_TRIES = 4
/** Rollback continues when the caller's time is over. */
const ROLLBACK_LIMIT_MS = MINUTE_MS
const MAX_ATTEMPTS = 3
const RETRY_DELAY_MS = 500
/** Long enough for an organiser to see it; a machine that was cleaned can use its ports again. */
const AVOIDED_MS = HOUR_MS

export interface CreateContext {
  readonly hosts: Hosts
  readonly images: Images
  readonly config: z.ZodType<InstanceConfig>
  readonly options: Options
  readonly now: () => number
  readonly hostNameKey: Buffer
  readonly sleep: (ms: number) => Promise<void>
  /** In [0, 1). */
  readonly chance: () => number
  readonly log: Log
}

/** The port is used by another program. */
const PORT_TAKEN = /already allocated|address already in use/i

/**
 * Starts an instance on the host with the most free capacity. If it rejects (with a ProviderError), nothing
 * is left behind.
 */
export async function createInstance(
  order: InstanceOrder,
  context: CreateContext,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const config = readConfig(context.config, order.config)
  for (let tries = 1; ; tries++) {
    try {
      return await createOnce(order, config, { ...context, signal })
    } catch (error) {
      if (tries < MAX_TRIES && isPortProblem(error)) continue
      if (error instanceof WrongPort)
        throw new ProviderError('The ports of the instance cannot be reached. Please tell the organisers.', {
          cause: error,
        })
      throw error instanceof EngineError
        ? new ProviderError('The container engine refused the start. Please tell the organisers.', {
            cause: error,
          })
        : error
    }
  }
}

function isPortProblem(error: unknown): boolean {
  return error instanceof WrongPort || (error instanceof EngineError && PORT_TAKEN.test(error.message))
}

interface Attempt extends CreateContext {
  readonly signal: AbortSignal
}

async function createOnce(
  order: InstanceOrder,
  config: InstanceConfig,
  attempt: Attempt,
): Promise<InstanceDetails> {
  const { hosts, images, options, now, hostNameKey, chance, signal } = attempt
  const id = instanceIdOf(options.manager, order)
  const surveys = await hosts.survey(signal)
  refuseExisting(surveys, id, now())
  const target = leastLoaded(
    surveys.up.filter(({ host }) => order.host === undefined || host.name === order.host),
  )
  if (!target) throw new ProviderError('All instance slots are in use. Try again later.')
  const { host } = target
  const takePort = portTaker(target, options.ports, chance)
  const start = randomUUID()
  const plan = planInstance(config, order.expose, {
    hostId: hostIdOf(hostNameKey, [options.manager, order.teamId, order.integrationId, start]),
    publicHost: host.publicHost,
    traefik: options.traefik,
    takePort,
  })
  const wanted = new Set(Object.values(config.services).map(({ image }) => image))
  if (plan.published.length > 0) wanted.add(options.relayImage)
  const imageVolumes = new Map<string, readonly string[]>()
  for (const image of wanted) imageVolumes.set(image, await images.ensure(host, image, signal))

  const calls = hosts.calls(host, signal)
  try {
    await claim({ order, config, plan, id, start }, host, attempt)
    if (hosts.all.length > 1) await withdrawFromRace(id, host, attempt)
    const ports = host.probe ? publishedPorts(plan) : []
    await refuseAnswered(ports, { id, host }, attempt)
    await build({ order, config, plan, imageVolumes }, { calls, options, id, nonce: start })
    await requireAnswered(ports, { id, host }, attempt)
    const after = await hosts.survey(signal, id)
    const found = after.up.find((survey) => survey.host === host)?.instances.get(id)
    // Without the claim the owner of these containers is unknown.
    if (found?.facts?.start !== start)
      throw new ProviderError('The instance was stopped while it was starting.')
    return detailsOf(found, now())
  } catch (error) {
    const attempts = error instanceof UncertainError ? MAX_ATTEMPTS : 1
    if (!(error instanceof LostRace)) await rollBack({ id, start, attempts }, host, attempt)
    throw error
  }
}

/** A datagram has no handshake, so nothing can be said about a port of UDP. */
function publishedPorts({ endpoints, published }: Plan): Endpoint[] {
  const tcp = new Set(published.filter(({ protocol }) => protocol === 'tcp').map(({ hostPort }) => hostPort))
  return endpoints.filter(({ port }) => tcp.has(port))
}

/** The instance that is being started, and where. */
interface Target {
  readonly id: string
  readonly host: Host
}

/** Another program uses the port, or a rule of an engine that was killed leads to another container. */
async function refuseAnswered(ports: readonly Endpoint[], target: Target, attempt: Attempt): Promise<void> {
  const answered = await Promise.all(ports.map(isAnswered))
  const wrong = ports.filter((_, at) => answered[at])
  if (wrong.length > 0) await avoid(wrong, target, attempt)
}

async function requireAnswered(ports: readonly Endpoint[], target: Target, attempt: Attempt): Promise<void> {
  const answered = await Promise.all(ports.map((endpoint) => becomesAnswered(endpoint, attempt.sleep)))
  const silent = ports.filter((_, at) => !answered[at])
  if (silent.length > 0) await avoid(silent, target, attempt)
}

/** A port of the host does not lead to the instance that it was published for. */
class WrongPort extends Error {
  override readonly name = 'WrongPort'
}

/** Records the ports on the engine, for all processes and the organisers' page. */
async function avoid(
  ports: readonly Endpoint[],
  { id, host }: Target,
  { hosts, options, now, log, signal }: Attempt,
): Promise<never> {
  const calls = hosts.calls(host, signal)
  const numbers = ports.map(({ port }) => port)
  // A concurrent start may have taken the same port. That is no fault of the host.
  const { up } = await hosts.survey(signal)
  const survey = up.find((each) => each.host === host)
  const taken = new Set(survey ? portsOf(survey, id) : [])
  const wrong = numbers.filter((port) => !taken.has(port))
  if (wrong.length > 0)
    log.warn({ host: host.name, ports: wrong }, 'published ports do not lead to their instance')
  for (const port of wrong) {
    const labels = avoidedPortLabels(options.manager, port, now() + AVOIDED_MS)
    const name = `${options.manager}-port-${port}`
    await calls.createContainer(name, labelContainerBody(options.relayImage, labels)).catch(() => {})
  }
  throw new WrongPort(`ports ${numbers.join(', ')} of ${host.publicHost}`)
}

function refuseExisting({ up }: Surveys, id: string, now: number): void {
  for (const { instances } of up) {
    const found = instances.get(id)
    if (!found?.claim) continue
    const isStopping = detailsOf(found, now).status === 'stopping'
    throw new ProviderError(
      isStopping ? 'The instance is still stopping. Try again in a moment.' : 'The instance already exists.',
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

/** Another start has the claim, so none of its objects may be removed. */
class LostRace extends ProviderError {}

/** Container names are unique within an engine, so only one process succeeds. */
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
    await hosts
      .calls(host, signal)
      .createContainer(`${options.manager}-${id}`, labelContainerBody(image, labels))
  } catch (error) {
    if (error instanceof EngineError && isNameTaken(error))
      throw new LostRace('The instance is already starting.', { cause: error })
    throw error
  }
}

/** Names are unique on one host only. A start that sees another claim after creating its own withdraws. */
async function withdrawFromRace(id: string, host: Host, { hosts, signal }: Attempt): Promise<void> {
  const { up } = await hosts.survey(signal, id)
  const others = up.filter((survey) => survey.host !== host && survey.instances.get(id)?.claim)
  if (others.length > 0)
    throw new ProviderError('The instance was started twice at the same time. Try again in a moment.')
}

/**
 * Removes what this start created. After a request without a response the engine may still create an object,
 * so it checks again; the pruner removes anything later.
 */
async function rollBack(
  { id, start, attempts }: { readonly id: string; readonly start: string; readonly attempts: number },
  host: Host,
  { hosts, options, now, sleep }: Attempt,
): Promise<void> {
  const signal = AbortSignal.timeout(ROLLBACK_LIMIT_MS)
  // No one has used it yet, so no grace period.
  const quick = { ...options, stopGrace: 0 }
  const probe = async () => {
    const { up } = await hosts.survey(signal, id)
    const found = up.find((survey) => survey.host === host)?.instances.get(id)
    const isOurs = found && (found.facts === null || found.facts.start === start)
    if (isOurs) await removeInstance(found, { calls: hosts.calls(host, signal), options: quick, now: now() })
  }
  for (let count = 1; count <= attempts; count++) {
    // A container or network that is just starting may refuse removal; the caller gets the reason of the
    // failed start.
    await probe().catch(() => {})
    if (count < attempts) await sleep(RETRY_DELAY_MS)
  }
}

/**
 * Ports of the range that no instance on the host uses, in random order, so that concurrent starts rarely
 * collide.
 */
function portTaker(survey: Survey, { from, to }: Options['ports'], chance: () => number): () => number {
  const used = new Set([...portsOf(survey), ...survey.avoided.map(portOf)])
  const count = to - from + 1
  return () => {
    const start = Math.floor(chance() * count)
    for (let step = 0; step < count; step++) {
      const port = from + ((start + step) % count)
      if (used.has(port)) continue
      used.add(port)
      return port
    }
    throw new ProviderError('All ports for instances are in use. Try again later.')
  }
}

/** The ports of all instances on the host, or of all but one. */
function portsOf({ instances }: Survey, exceptId?: string): number[] {
  return [...instances.values()]
    .filter(({ id }) => id !== exceptId)
    .flatMap(({ facts }) => facts?.endpoints.map(({ port }) => port) ?? [])
}
