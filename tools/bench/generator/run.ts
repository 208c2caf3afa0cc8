import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openConnection, type Connection } from './connection.ts'
import { createLatencies } from './latencies.ts'
import { requestBytes, type Measured, type Plan } from './plan.ts'

/** How long the last responses may take after the end of a run. */
const DRAIN_MS = 10 * SECOND_MS
/** How often an open loop looks which requests are due. */
const TICK_MS = 1
/** A server that refuses connections must not keep the generator busy. */
const RETRY_MS = 100

interface Slot {
  readonly connection: Connection
  /** When the request in flight was due. */
  dueAt: number
  onResponse: (status: string) => void
  onBroken: () => void
}

/**
 * Sends what the plan says, after warming up on the same connections: each has had a response before the measured part begins.
 * `onStart` is awaited then.
 */
export async function run(plan: Plan, onStart: () => Promise<void>): Promise<Measured> {
  const url = new URL(plan.url)
  const bytes = plan.requests.map((request) => requestBytes(request, url.host))
  const slots = Array.from({ length: plan.connections }, () => openSlot(url))
  const { warmUpSeconds = 0, isOnce = false } = plan
  if (warmUpSeconds > 0 && !isOnce) {
    await measure({ ...plan, perSecond: null, seconds: warmUpSeconds }, { bytes, slots })
  }
  await onStart()
  const measured = await measure(plan, { bytes, slots })
  for (const { connection } of slots) connection.close()
  return measured
}

function openSlot(url: URL): Slot {
  const slot: Slot = {
    connection: openConnection(url, {
      onResponse: (status) => slot.onResponse(status),
      onBroken: () => slot.onBroken(),
    }),
    dueAt: 0,
    onResponse: () => {},
    onBroken: () => {},
  }
  return slot
}

interface Means {
  /** The requests. */
  readonly bytes: readonly Buffer[]
  readonly slots: readonly Slot[]
}

async function measure(plan: Plan, means: Means): Promise<Measured> {
  const tally = createTally()
  const startedAt = performance.now()
  const { sent } = await sendAll(plan, means, tally)
  const seconds = (performance.now() - startedAt) / SECOND_MS
  const total = plan.isOnce ? means.bytes.length : Infinity
  const due = plan.perSecond === null ? sent : Math.floor(Math.min(total, plan.seconds * plan.perSecond))
  return tally.result({ seconds, unsent: Math.max(0, due - sent) })
}

type Tally = ReturnType<typeof createTally>

function createTally() {
  const latencies = createLatencies()
  const statuses: Record<string, number> = {}
  let count = 0
  let broken = 0
  return {
    answered(status: string, ms: number): void {
      latencies.add(ms)
      statuses[status] = (statuses[status] ?? 0) + 1
      count += 1
    },
    broken(): void {
      broken += 1
    },
    result: ({ seconds, unsent }: { seconds: number; unsent: number }): Measured => ({
      generator: 'own',
      count,
      seconds,
      perSecond: count / seconds,
      p50Ms: latencies.quantile(0.5),
      p99Ms: latencies.quantile(0.99),
      p999Ms: latencies.quantile(0.999),
      maxMs: latencies.max(),
      statuses,
      broken,
      unsent,
    }),
  }
}

/** Resolves when the last response has arrived, or a while after the end. */
function sendAll(plan: Plan, { bytes, slots }: Means, tally: Tally): Promise<{ sent: number }> {
  const { perSecond, isOnce = false } = plan
  const startedAt = performance.now()
  const endsAt = startedAt + plan.seconds * SECOND_MS
  const total = isOnce ? bytes.length : Infinity
  const idle: Slot[] = []
  let sent = 0

  const isOver = (now: number) => sent >= total || now >= endsAt
  /** In a closed loop each request is due as soon as a connection is idle. */
  const nextDueAt = (now: number) => (perSecond === null ? now : startedAt + (sent * SECOND_MS) / perSecond)

  /** Gives the requests that are due to idle connections. */
  function dispatch(): void {
    const now = performance.now()
    while (!isOver(now) && nextDueAt(now) <= now) {
      const slot = idle.pop()
      if (!slot) return
      slot.dueAt = nextDueAt(now)
      const request = bytes[sent % bytes.length]
      sent += 1
      if (request) slot.connection.send(request)
    }
  }

  return new Promise((resolve) => {
    for (const slot of slots) {
      slot.onResponse = (status) => {
        tally.answered(status, performance.now() - slot.dueAt)
        free(slot)
      }
      slot.onBroken = () => {
        tally.broken()
        setTimeout(free, RETRY_MS, slot)
      }
    }
    const ticking = perSecond === null ? undefined : setInterval(tick, TICK_MS)
    const limit = setTimeout(end, endsAt - startedAt + DRAIN_MS)

    function free(slot: Slot): void {
      idle.push(slot)
      tick()
    }
    function tick(): void {
      dispatch()
      if (idle.length === slots.length && isOver(performance.now())) end()
    }
    function end(): void {
      clearInterval(ticking)
      clearTimeout(limit)
      for (const slot of slots) if (!idle.includes(slot)) slot.connection.close()
      resolve({ sent })
    }

    idle.push(...slots)
    dispatch()
  })
}
