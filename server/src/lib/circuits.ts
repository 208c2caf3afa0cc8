import { UnreachableError } from './errors.ts'
import type { Log } from './log.ts'

// Calls of other services, refused for a while after they have failed several times: a service that hangs must not hold
// requests, connections and jobs until each of them times out. Not a library: the newest lines of opossum and cockatiel
// need Node 22.

export interface Circuits {
  /**
   * Calls the service unless its circuit is open; rejects with a `CircuitOpenError` then. Each name has its own
   * circuit. `isFailure` decides whether an error or a result counts; by default every error does.
   */
  run<T>(name: string, call: () => Promise<T>, isFailure?: IsFailure<T>): Promise<T>
  /** `fetch` with a circuit for each host. Failures: no response, 502, 503 and 504. */
  fetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch
  /** Names of services that failed and have not answered since. */
  open(): string[]
}

export type IsFailure<T> = (outcome: { readonly error: unknown } | { readonly result: T }) => boolean

/** `afterMs`: until a call is let through. */
export class CircuitOpenError extends UnreachableError {
  override readonly name = 'CircuitOpenError'

  constructor(service: string, afterMs: number) {
    super(`${service} has failed several times and is tried again soon`, afterMs)
  }
}

export interface CircuitsOptions {
  readonly now: () => number
  readonly log: Log
}

/** In a row. */
const FAILURES = 5
/**
 * Then one call in this time tries whether the service is back, also while earlier ones still wait: the service is used again soon
 * after its return, and one that hangs holds few calls.
 */
const TRIAL_EVERY_MS = 500
/** Services are few and come from the configuration; the bound is for what no one thought of. */
const MAX_SERVICES = 1000

interface Circuit {
  failures: number
  isOpen: boolean
  /** Unix milliseconds. */
  nextTrialAt: number
}

export function createCircuits({ now, log }: CircuitsOptions): Circuits {
  const circuits = new Map<string, Circuit>()

  function circuitOf(name: string): Circuit {
    const found = circuits.get(name)
    if (found) return found
    const [oldest] = circuits.keys()
    if (circuits.size >= MAX_SERVICES && oldest !== undefined) circuits.delete(oldest)
    const circuit = { failures: 0, isOpen: false, nextTrialAt: 0 }
    circuits.set(name, circuit)
    return circuit
  }

  function note(name: string, circuit: Circuit, isFailure: boolean): void {
    if (!isFailure) {
      if (circuit.isOpen) log.info({ service: name }, 'a service responds again')
      circuit.failures = 0
      circuit.isOpen = false
      return
    }
    circuit.failures += 1
    if (circuit.isOpen || circuit.failures < FAILURES) return
    log.warn({ service: name, trialEveryMs: TRIAL_EVERY_MS }, 'a service fails; most calls are refused')
    circuit.isOpen = true
    circuit.nextTrialAt = now() + TRIAL_EVERY_MS
  }

  const run: Circuits['run'] = async (name, call, isFailure = (outcome) => 'error' in outcome) => {
    const circuit = circuitOf(name)
    if (circuit.isOpen) {
      const waitMs = circuit.nextTrialAt - now()
      if (waitMs > 0) throw new CircuitOpenError(name, waitMs)
      circuit.nextTrialAt = now() + TRIAL_EVERY_MS
    }
    try {
      const result = await call()
      note(name, circuit, isFailure({ result }))
      return result
    } catch (error) {
      note(name, circuit, isFailure({ error }))
      throw error
    }
  }

  return {
    run,
    fetch: (fetch) => (input, init) =>
      run(
        new URL(input instanceof Request ? input.url : input).host,
        () => fetch(input, init),
        (outcome) => 'error' in outcome || [502, 503, 504].includes(outcome.result.status),
      ),
    open: () => Array.from(circuits).flatMap(([name, { isOpen }]) => (isOpen ? [name] : [])),
  }
}
