import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { createMemoryBus } from '../kv/memory-bus.ts'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { OfProcess, Siblings } from '../lib/siblings.ts'

// `serve --processes N`: the first process starts the database, runs N copies of itself that share the port, restarts
// those that end, and relays messages between them. Each copy is a whole server: what is shared is the database.

const MIN_DELAY_MS = 100
const MAX_DELAY_MS = 5 * SECOND_MS
/** A process that ran this long is restarted without a longer delay. */
const HEALTHY_MS = 10 * SECOND_MS
const GATHER_LIMIT_MS = 2 * SECOND_MS

type Message =
  | { readonly kind: 'wake'; readonly channel: string }
  | { readonly kind: 'read'; readonly request: string; readonly replyTo: number }
  | { readonly kind: 'value'; readonly request: string; readonly replyTo: number; readonly value: unknown }

/** `of`: how many processes received the message. */
type Relayed = Message & { readonly from: number; readonly of: number }

/** Runs the processes until `stop`. Throws a StartError if one ends before it was ready for the first time. */
export async function runProcesses(stop: AbortSignal, count: number, log: Log): Promise<void> {
  cluster.setupPrimary({ serialization: 'advanced' })
  const numbers = new Map<number, number>()
  const relay = (from: Worker, message: Message) => {
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    for (const worker of all)
      if (message.kind !== 'value' || worker?.id === message.replyTo)
        worker?.send({ ...message, from: numbers.get(from.id) ?? 0, of: all.length })
  }
  cluster.on('message', relay)
  const failed = new AbortController()
  const signal = AbortSignal.any([stop, failed.signal])
  const fork = (number: number) => {
    const worker = cluster.fork()
    numbers.set(worker.id, number)
    closeUnconfirmed(worker)
    void once(worker, 'exit').then(() => numbers.delete(worker.id))
    return worker
  }
  const runs = Array.from({ length: count }, (_, index) =>
    keepRunning({ number: index + 1, fork, signal, log }).catch((error: unknown) => {
      failed.abort('SIGTERM')
      throw error
    }),
  )
  const results = await Promise.allSettled(runs)
  cluster.off('message', relay)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A connection that the first process has accepted. Closing it again has no effect. */
interface Accepted {
  close(): void
}

/**
 * The first process keeps its copy of a connection until the worker confirms that it has another. Node forgets the copy
 * of a worker that dies before, and the client would wait for a response that never comes.
 */
function closeUnconfirmed(worker: Worker): void {
  const target: { send(message: unknown, handle?: unknown, ...rest: unknown[]): unknown } = worker.process
  const send = target.send.bind(target)
  let last: Accepted | undefined
  let isDead = false
  target.send = (message, handle, ...rest) => {
    if ((message as { act?: unknown }).act !== 'newconn') return send(message, handle, ...rest)
    // One at a time: the next one is sent after the confirmation.
    last = handle as Accepted
    if (isDead) return last.close()
    return send(message, handle, ...rest)
  }
  worker.once('exit', () => {
    isDead = true
    last?.close()
  })
  // Sending to a process that has just died fails. The exit is handled, and would otherwise not be reached.
  worker.on('error', () => {})
}

interface Kept {
  readonly number: number
  readonly fork: (number: number) => Worker
  readonly signal: AbortSignal
  readonly log: Log
}

async function keepRunning({ number, fork, signal, log }: Kept): Promise<void> {
  let wasReady = false
  let delayMs = MIN_DELAY_MS
  // Ends on the signal.
  while (!signal.aborted) {
    const startedAt = Date.now()
    const worker = fork(number)
    worker.once('listening', () => (wasReady = true))
    const stop = () => worker.process.kill(signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    const [status, killedBy] = (await once(worker, 'exit')) as [number | null, string | null]
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return
    if (!wasReady) throw new StartError(`process ${number} ended before it was ready; its output says why`)
    log.error({ process: number, status, killedBy }, 'a process ended; starting it again')
    delayMs = Date.now() - startedAt > HEALTHY_MS ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS)
    await delay(delayMs, undefined, { signal }).catch(() => {})
  }
}

/** The link of this process to the others; null unless `runProcesses` started it. */
export function findSiblings(): Siblings | null {
  const { worker } = cluster
  if (!worker) return null
  const local = createMemoryBus()
  const send = (message: Message) => {
    if (worker.isConnected()) worker.send(message)
  }
  const listen = (listener: (message: Relayed) => void) => {
    worker.on('message', listener)
    return () => void worker.off('message', listener)
  }
  listen((message) => {
    if (message.kind === 'wake') void local.publish(message.channel)
  })
  return {
    isFirst: worker.id === 1,
    bus: {
      subscribe: (channel, listener) => local.subscribe(channel, listener),
      publish: async (channel) => send({ kind: 'wake', channel }),
    },
    gather<T>(read: () => Promise<T>) {
      listen((message) => {
        if (message.kind !== 'read') return
        const { request, replyTo } = message
        void read().then((value) => send({ kind: 'value', request, replyTo, value }))
      })
      let count = 0
      return async () => {
        const request = String(count++)
        const values: OfProcess<T>[] = []
        const cancel = new AbortController()
        const done = listen((message) => {
          if (message.kind !== 'value' || message.request !== request) return
          values.push({ process: message.from, value: message.value as T })
          if (values.length >= message.of) cancel.abort()
        })
        send({ kind: 'read', request, replyTo: worker.id })
        await delay(GATHER_LIMIT_MS, undefined, { signal: cancel.signal }).catch(() => {})
        done()
        return values.toSorted((one, other) => one.process - other.process)
      }
    },
  }
}
