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

export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError'
}

export interface CircuitsOptions {
  readonly now: () => number
  readonly log: Log
}

/** In a row. */
const FAILURES = 5
/** Then one call tries whether the service is back. */
const OPEN_MS = 10_000
/** Then another one may try: a call without a time limit must not keep the circuit open for ever. */
const TRIAL_MS = 60_000
/** Services are few and come from the configuration; the bound is for what nobody thought of. */
const MAX_SERVICES = 1000

interface Circuit {
  failures: number
  /** Unix milliseconds; 0 while the circuit is closed. */
  openUntil: number
  /** When the call began that tries whether the service is back; 0 without one. */
  triedAt: number
}

export function createCircuits({ now, log }: CircuitsOptions): Circuits {
  const circuits = new Map<string, Circuit>()

  function circuitOf(name: string): Circuit {
    const found = circuits.get(name)
    if (found) return found
    const [oldest] = circuits.keys()
    if (circuits.size >= MAX_SERVICES && oldest !== undefined) circuits.delete(oldest)
    const circuit = { failures: 0, openUntil: 0, triedAt: 0 }
    circuits.set(name, circuit)
    return circuit
  }

  function note(name: string, circuit: Circuit, isFailure: boolean): void {
    if (!isFailure) {
      if (circuit.openUntil > 0) log.info({ service: name }, 'a service responds again')
      circuit.failures = 0
      circuit.openUntil = 0
      return
    }
    circuit.failures += 1
    // Calls that began before the circuit opened do not prolong it.
    if (circuit.openUntil > now() || circuit.failures < FAILURES) return
    if (circuit.openUntil === 0)
      log.warn({ service: name, pauseMs: OPEN_MS }, 'a service fails; its calls are refused for a while')
    circuit.openUntil = now() + OPEN_MS
  }

  const run: Circuits['run'] = async (name, call, isFailure = (outcome) => 'error' in outcome) => {
    const circuit = circuitOf(name)
    const isTrial = circuit.openUntil > 0
    const isTrying = circuit.triedAt > 0 && now() - circuit.triedAt < TRIAL_MS
    if (isTrial && (isTrying || circuit.openUntil > now()))
      throw new CircuitOpenError(`${name} has failed several times and is tried again soon`)
    if (isTrial) circuit.triedAt = now()
    try {
      const result = await call()
      note(name, circuit, isFailure({ result }))
      return result
    } catch (error) {
      note(name, circuit, isFailure({ error }))
      throw error
    } finally {
      if (isTrial) circuit.triedAt = 0
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
    open: () => Array.from(circuits).flatMap(([name, { openUntil }]) => (openUntil > 0 ? [name] : [])),
  }
}
