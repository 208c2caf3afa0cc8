import type { Log } from '../../lib/log.ts'
import { setTimer as setRealTimer, type SetTimer } from '../../lib/set-timer.ts'
import { ProviderError, UncertainError } from '../provider.ts'
import type { InstanceCalls, InstanceDetails, Instancer } from './instancer.ts'
import { safeText } from './safe-text.ts'

/** docs/reference/providers.md#instancer-interface */
const CALL_LIMIT_MS = 10_000

/** Concurrent calls per engine and process: a slow engine must not block all requests. */
const MAX_CALLS = 64

export interface GuardOptions {
  readonly name: string
  readonly log: Log
  readonly limitMs?: number
  readonly maxCalls?: number
  readonly setTimer?: SetTimer
}

/**
 * Wraps an engine: calls have a timeout and a concurrency limit, and fail with messages that anyone may read.
 */
export function guard(instancer: Instancer, options: GuardOptions): InstanceCalls {
  const { name, log, limitMs = instancer.callTimeoutMs ?? CALL_LIMIT_MS, maxCalls = MAX_CALLS } = options
  const { setTimer = setRealTimer } = options
  let calls = 0

  async function call(run: (signal: AbortSignal) => Promise<InstanceDetails>): Promise<InstanceDetails> {
    if (calls >= maxCalls) throw new ProviderError('The instancer is busy. Try again in a moment.')
    calls++
    const limit = new AbortController()
    let cancel: (() => void) | undefined
    const late = new Promise<never>((_, reject) => {
      cancel = setTimer(limitMs, () => {
        reject(new UncertainError('The instancer did not respond in time.'))
        limit.abort()
      })
    })
    // An engine that ignores the signal keeps its slot until it ends, so that the limit holds.
    const work = run(limit.signal).finally(() => calls--)
    try {
      return checked(await Promise.race([work, late]))
    } catch (error) {
      throw failureOf(error)
    } finally {
      cancel?.()
      // Handles a rejection of the one that loses the race.
      void Promise.allSettled([work, late])
    }
  }

  function failureOf(error: unknown): ProviderError {
    if (error instanceof ProviderError) {
      const { message: reason, cause } = error
      const detail = cause instanceof Error ? cause.message : undefined
      log.warn(
        { instancer: name, reason, ...(detail !== undefined && { detail }) },
        'an instancer rejected a request',
      )
      const message = safeText(reason)
      // What the engine itself says is for the log and for organisers' checks only.
      return error instanceof UncertainError
        ? new UncertainError(message, { cause })
        : new ProviderError(message, { cause })
    }
    log.error({ err: error, instancer: name }, 'an instancer call failed')
    return new UncertainError('The instancer failed. Contact the organisers if this continues.')
  }

  return {
    create: (order) => call(async (signal) => instancer.create(order, signal)),
    get: (key) => call(async (signal) => instancer.get(key, signal)),
    extend: (renewal) => call(async (signal) => instancer.extend(renewal, signal)),
    delete: (key) => call(async (signal) => instancer.delete(key, signal)),
  }
}

/** Rounds to whole milliseconds of at least 0: engines use different units. */
function checked({ timeLeftMs, ...details }: InstanceDetails): InstanceDetails {
  return {
    ...details,
    timeLeftMs: timeLeftMs === null ? null : Math.max(0, Math.floor(timeLeftMs)),
  }
}
