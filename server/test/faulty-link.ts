import type { ServerResponse } from 'node:http'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { startHttpService, type HttpService } from './http-service.ts'

/**
 * What happens to the requests of one process to its engine. `slow`: a request waits before it reaches the
 * engine. `late`: it reaches the engine and the response waits. `refused`: it never reaches the engine.
 * `cut`: it reaches the engine and the response is lost.
 */
export type Fault = 'none' | 'slow' | 'late' | 'refused' | 'cut'

/** How long after the caller gave up the engine may still act on a request. */
const MAX_LATENESS_MS = MINUTE_MS

/** Counts activity, so that a test can wait until there is none. */
export interface Activity {
  /** Requests and statements in flight that the link is not delaying. */
  active: number
  /** Incremented by every event. */
  count: number
}

export async function during<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
  activity.active++
  try {
    return await work()
  } finally {
    activity.active--
    activity.count++
  }
}

export interface Request<T> {
  send(): Promise<T>
  /** Whether the caller has given up. */
  isAbandoned(): boolean
}

export interface Link {
  pass<T>(request: Request<T>): Promise<T>
  /** Applies the fault after this many more requests. */
  set(fault: Fault, after?: number): void
  /** Lets all delayed requests and responses continue. */
  release(): void
  /** Drops delayed requests whose caller gave up too long ago. */
  expire(now: number): void
  /** Simulates the process's death: its requests don't reach the engine and it receives no responses. */
  kill(): void
  waiting(): number
}

interface Waiting {
  isAbandoned(): boolean
  abandonedAt: number | null
  end(isDropped: boolean): void
}

export function createLink(activity: Activity, onEffect: () => Promise<void>): Link {
  const queue = new Set<Waiting>()
  let fault: Fault = 'none'
  let remaining = 0
  let isDead = false

  function wait(isAbandoned: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isAbandoned,
        abandonedAt: null,
        end(isDropped) {
          queue.delete(waiting)
          if (isDropped) reject(new Error('nobody waits for this any more'))
          else resolve()
        },
      }
      queue.add(waiting)
      activity.count++
    })
  }

  return {
    async pass({ send, isAbandoned }) {
      if (isDead) return await new Promise(() => {})
      const now = remaining-- > 0 ? 'none' : fault
      if (now === 'refused') throw new Error('connection refused')
      if (now === 'slow') await wait(isAbandoned)
      const value = await during(activity, async () => {
        const response = await send()
        await onEffect()
        return response
      })
      if (now === 'late') await wait(isAbandoned)
      if (now === 'cut') throw new Error('connection reset')
      return isDead ? await new Promise(() => {}) : value
    },
    set(next, after = 0) {
      fault = next
      remaining = after
    },
    release() {
      for (const waiting of queue) waiting.end(false)
    },
    expire(now) {
      for (const waiting of queue) {
        if (waiting.isAbandoned()) waiting.abandonedAt ??= now
        if (waiting.abandonedAt !== null && now - waiting.abandonedAt >= MAX_LATENESS_MS) waiting.end(true)
      }
    },
    kill() {
      isDead = true
      queue.clear()
    },
    waiting: () => queue.size,
  }
}

/** Forwards requests to a service over a link. A link fault ends the connection without a response. */
export function startGateway(target: string, link: Link): Promise<HttpService> {
  return startHttpService(async ({ method, url, headers, body }, response) => {
    const forwarded = {
      ...(headers.authorization && { authorization: headers.authorization }),
      ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
    }
    const send = async () => {
      const sent = { method, headers: forwarded, ...(body.length > 0 && { body: new Uint8Array(body) }) }
      const result = await fetch(new URL(url, target), sent)
      return { status: result.status, text: await result.text() }
    }
    const { status, text } = await link.pass({ send, isAbandoned: () => isGone(response) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
}

function isGone({ destroyed, socket }: ServerResponse): boolean {
  return destroyed || (socket?.destroyed ?? true)
}
