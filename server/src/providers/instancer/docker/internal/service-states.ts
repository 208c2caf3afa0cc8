import type { Container, EngineCalls } from './engine-calls.ts'
import { healthIntervalOf, roleOf } from './names.ts'

// What the engine's list does not say about a service: how often it was restarted and, on Podman, its health.

/** Engines restart a crashed service within seconds, so one that runs for longer does not need a closer probe. */
const IS_RECENT = /second|restarting|^created|^exited|^stopped/i
/** Docker's list has the health in parentheses. */
const HAS_HEALTH = /\(.*(health|starting)/
/** Far more than the services of all machines. */
const MAX_CHECKED = 10_000

export interface ServiceStates {
  /** The containers with their restarts, and with their health where a check is due. */
  complete(containers: readonly Container[], calls: EngineCalls): Promise<Container[]>
}

/** Podman runs health checks only where systemd does, and its list omits the result. So they run from here. */
export function createServiceStates(now: () => number): ServiceStates {
  const checked = new Map<string, { readonly at: number; readonly health: Promise<string | null> }>()

  function healthOf({ Id }: Container, intervalMs: number, calls: EngineCalls): Promise<string | null> {
    const last = checked.get(Id)
    if (last && now() - last.at < intervalMs) return last.health
    if (checked.size >= MAX_CHECKED) checked.clear()
    const health = calls.checkHealth(Id).catch(() => null)
    checked.set(Id, { at: now(), health })
    return health
  }

  async function completed(container: Container, calls: EngineCalls): Promise<Container> {
    if (roleOf(container) !== 'service') return container
    const { Id, State, Status } = container
    const isRecent = State !== 'created' && (State !== 'running' || IS_RECENT.test(Status))
    const intervalMs = healthIntervalOf(container)
    const isUnchecked = intervalMs > 0 && State === 'running' && !HAS_HEALTH.test(Status)
    const [restarts, health] = await Promise.all([
      isRecent ? calls.restartsOf(Id) : 0,
      isUnchecked ? healthOf(container, intervalMs, calls) : null,
    ])
    return { ...container, restarts, Status: health === null ? Status : `${Status} (${health})` }
  }

  return {
    complete: (containers, calls) => Promise.all(containers.map((container) => completed(container, calls))),
  }
}
