import type { Log } from '../../lib/log.ts'
import { ProviderError } from '../provider.ts'
import type { InstanceCalls, InstanceDetails, Instancer } from './instancer.ts'
import { safeText } from './safe-text.ts'

/** Contract, admin 4.2. */
const CALL_LIMIT_MS = 10_000

/** Calls under way at one engine, of this process: a slow engine must not collect everybody's requests. */
const MAX_CALLS = 64

export interface GuardOptions {
  readonly name: string
  readonly log: Log
  readonly limitMs?: number
  readonly maxCalls?: number
}

/** An engine whose calls end in time, are bounded in number, and fail with a text that anyone may read. */
export function guard(instancer: Instancer, options: GuardOptions): InstanceCalls {
  const { name, log, limitMs = instancer.callTimeoutMs ?? CALL_LIMIT_MS, maxCalls = MAX_CALLS } = options
  let calls = 0

  async function call(run: (signal: AbortSignal) => Promise<InstanceDetails>): Promise<InstanceDetails> {
    if (calls >= maxCalls)
      throw new ProviderError('The instancer has too much to do just now. Try again in a moment.')
    calls++
    const limit = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ProviderError('The instancer did not answer in time.'))
        limit.abort()
      }, limitMs)
    })
    // An engine that ignores the signal keeps its place until it ends, so that the bound holds.
    const work = run(limit.signal).finally(() => calls--)
    try {
      return checked(await Promise.race([work, late]))
    } catch (error) {
      throw failureOf(error)
    } finally {
      clearTimeout(timer)
      // Whoever comes second has nobody to tell.
      void Promise.allSettled([work, late])
    }
  }

  function failureOf(error: unknown): ProviderError {
    if (error instanceof ProviderError) {
      log.warn({ instancer: name, reason: error.message }, 'an instancer refused')
      return new ProviderError(safeText(error.message))
    }
    log.error({ err: error, instancer: name }, 'an instancer failed')
    return new ProviderError('The instancer failed. Tell the organisers if it goes on.')
  }

  return {
    create: (order) => call(async (signal) => instancer.create(order, signal)),
    get: (key) => call(async (signal) => instancer.get(key, signal)),
    extend: (renewal) => call(async (signal) => instancer.extend(renewal, signal)),
    delete: (key) => call(async (signal) => instancer.delete(key, signal)),
  }
}

/** Whole milliseconds, and never less than none: engines count in their own ways. */
function checked({ status, timeLeftMs, endpoints }: InstanceDetails): InstanceDetails {
  return { status, timeLeftMs: timeLeftMs === null ? null : Math.max(0, Math.floor(timeLeftMs)), endpoints }
}
