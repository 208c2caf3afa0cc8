import type { QueryClient } from '@tanstack/react-query'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { serverNow } from '../../state/clock.ts'
import { startKnown } from '../../state/opening.ts'
import { pause } from '../../state/pause.ts'
import { sessionToken, subscribeSession } from '../../state/session.ts'
import { streamedSince } from '../../state/stream.ts'
import { configQuery } from '../queries.ts'
import { createApplier, readAll } from './apply.ts'
import { readStream, type StreamEvent } from './connect.ts'
import { followTimes } from './follow-times.ts'

/** Delays after failed connections, with jitter. */
const FAILED_MS = [1, 2, 5, 15, 30, 60].map((seconds) => seconds * SECOND_MS)
/** A connection that lasted this long was no failure. */
const LASTED_MS = 30 * SECOND_MS
/** All clients of a replica that shuts down reconnect in the same moment. */
const RECONNECT_SPREAD_MS = 2 * SECOND_MS
/** Without a connection for this long, the pages poll again. */
const POLL_AFTER_MS = 10 * SECOND_MS
/** Nothing connects around the start, when every browser reads the challenges. */
const RUSH_MS = MINUTE_MS
/** A proxy that ends every response immediately offers no stream. */
const OPEN_AFTER_MS = 1.5 * SECOND_MS
/** A tab that hears nothing from the tab with the connection polls. Longer than two heartbeats. */
const UNHEARD_MS = MINUTE_MS

type Message = { readonly event: StreamEvent } | { readonly state: 'open' | 'closed' }

/**
 * Follows the live stream, with one connection for all tabs of the browser where it supports locks. Never ends, except in
 * an archive. Call once.
 */
export function followStream(queries: QueryClient): void {
  if (queries.getQueryData(configQuery.queryKey)?.isArchived) return
  const receive = createReceiver(queries)
  const { signal } = new AbortController()
  const channel =
    navigator.locks && typeof BroadcastChannel !== 'undefined' ? new BroadcastChannel('pennant.stream') : null
  const tell = (message: Message) => {
    receive(message)
    channel?.postMessage(message)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  const connect = () => keepConnected(tell, signal)
  // The lock passes to another tab when this one is closed.
  if (channel) void navigator.locks.request('pennant.stream', connect).catch(() => {})
  else void connect().catch(() => {})
  void followTimes(queries, signal).catch(() => {})
}

/** Applies what the tab with the connection reports. */
function createReceiver(queries: QueryClient) {
  const apply = createApplier(queries)
  let timer: ReturnType<typeof setTimeout> | undefined

  function silent(): void {
    if (streamedSince.read() === null) return
    streamedSince.set(null)
    // Their next reads were far away.
    readAll(queries)
  }

  return (message: Message) => {
    clearTimeout(timer)
    if ('state' in message && message.state === 'closed') {
      timer = setTimeout(silent, POLL_AFTER_MS)
      return
    }
    timer = setTimeout(silent, UNHEARD_MS)
    if ('event' in message) {
      if (message.event.name === 'resync' && streamedSince.read() !== null) streamedSince.set(Date.now())
      apply(message.event)
    } else if (streamedSince.read() === null) streamedSince.set(Date.now())
  }
}

/** Connects again and again, from the last position. Resolves when the server has no stream. */
async function keepConnected(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  let lastEventId: string | null = null
  let failures = 0
  for (;;) {
    await outsideRush(signal)
    const session = new AbortController()
    const unsubscribe = subscribeSession(() => session.abort())
    const askedAt = Date.now()
    let firstAt: number | null = null
    let opens: ReturnType<typeof setTimeout> | undefined
    const tellOpen = () => tell({ state: 'open' })
    const waitMs = await readStream({
      token: sessionToken(),
      lastEventId,
      signal: session.signal,
      onAlive() {
        firstAt ??= Date.now()
        if (Date.now() - firstAt >= OPEN_AFTER_MS) tellOpen()
        else opens ??= setTimeout(tellOpen, OPEN_AFTER_MS)
      },
      onEvent(event, id) {
        if (id !== undefined && id !== '') lastEventId = id
        tell({ event })
      },
    }).catch(() => 0)
    unsubscribe()
    clearTimeout(opens)
    tell({ state: 'closed' })
    if (waitMs === null) return
    if (session.signal.aborted) continue
    failures = Date.now() - askedAt > LASTED_MS ? 0 : failures + 1
    const backoffMs = failures <= 1 ? 0 : (FAILED_MS[Math.min(failures - 2, FAILED_MS.length - 1)] ?? 0)
    const spread = Math.random()
    await pause(Math.max(waitMs, backoffMs) * (0.8 + 0.4 * spread) + RECONNECT_SPREAD_MS * spread, signal)
  }
}

async function outsideRush(signal: AbortSignal): Promise<void> {
  const sinceStart = serverNow() - (startKnown() ?? 0)
  if (Math.abs(sinceStart) < RUSH_MS) await pause(RUSH_MS - sinceStart + RUSH_MS * Math.random(), signal)
}
