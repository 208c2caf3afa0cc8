import type { QueryClient } from '@tanstack/react-query'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { serverNow } from '../../state/clock.ts'
import { isIdle } from '../../state/activity.ts'
import { startKnown, waitOutsideRush } from '../../state/opening.ts'
import { pause } from '../../state/pause.ts'
import { sessionToken, subscribeSession } from '../../state/session.ts'
import { holdLock, openChannel } from '../../state/storage.ts'
import { streamedSince } from '../../state/stream.ts'
import { endSessionsLeft } from '../end-session.ts'
import { configQuery } from '../queries.ts'
import { createApplier, readAll } from './apply.ts'
import { pollStream, readStream, type ReadOptions, type StreamEvent } from './connect.ts'

// States of a browser's stream:
// - waiting: around the start of the event, and between attempts. Ends with the pause or the session.
// - connected: the tab with the lock reads the stream. Entered after each pause, left when the connection or the session ends.
// - polling: entered instead of a pause that is longer than POLL_AFTER_MS, left with that pause or a poll that fails.
// - over: the server has no stream, or the page is kept for Back. Only `pageshow` leaves it.
// Each tab, also without the lock, is either streamed (`streamedSince`; entered with an event or `open`, left POLL_AFTER_MS after
// `closed` or LEADER_TIMEOUT_MS without any message) or polls its queries itself.

/** Delays after failed connections, with jitter. */
const FAILED_MS = [1, 2, 5, 15, 30, 60].map((seconds) => seconds * SECOND_MS)
/** A connection that lasted this long was no failure. */
const STABLE_AFTER_MS = 30 * SECOND_MS
/** All clients of a replica that shuts down reconnect in the same moment. */
const RECONNECT_SPREAD_MS = 2 * SECOND_MS
/** Without a connection for this long, the pages poll again. */
const POLL_AFTER_MS = 10 * SECOND_MS
/** Nothing connects around the start, when every browser reads the challenges. */
const RUSH_MS = MINUTE_MS
/** A proxy that ends every response immediately offers no stream. */
const OPEN_AFTER_MS = 1.5 * SECOND_MS
/** How long a tab waits for the leader tab before it polls by itself. Longer than two heartbeats. */
const LEADER_TIMEOUT_MS = MINUTE_MS

/** Without a connection, the stream is polled: while someone uses the tab, while no one does, and while it is hidden. */
const POLL_MS = 5 * SECOND_MS
const IDLE_POLL_MS = 20 * SECOND_MS
const HIDDEN_POLL_MS = MINUTE_MS
const POLL_SPREAD = 0.2

/** `quietMs`: the next sign of life may take so much longer than that of a connection. */
type Message =
  | { readonly event: StreamEvent }
  | { readonly state: 'open'; readonly quietMs?: number }
  | { readonly state: 'closed' }

/**
 * Follows the live stream, with one connection for all tabs of the browser where it supports locks. Ends while the browser
 * keeps the page for Back, and in an archive. Call once.
 */
export function followStream(queries: QueryClient): void {
  if (queries.getQueryData(configQuery.queryKey)?.isArchived) return
  endSessionsLeft()
  let page = new AbortController()
  follow(queries, page.signal)
  // Browsers keep a page for Back only if it has no connection, lock or channel.
  window.addEventListener('pagehide', () => page.abort())
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    page = new AbortController()
    readAll(queries)
    follow(queries, page.signal)
  })
}

function follow(queries: QueryClient, signal: AbortSignal): void {
  const receive = createReceiver(queries)
  let channel = openChannel('pennant.stream')
  const tell = (message: Message) => {
    receive(message)
    if (!signal.aborted) channel?.postMessage(message)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  const connect = () => keepConnected(tell, signal)
  const lead = async () => {
    // The lock passes to another tab when this one is closed.
    if (channel && (await holdLock('pennant.stream', connect))) return
    // Each tab connects, so none may report to the others.
    channel?.close()
    channel = null
    await connect()
  }
  signal.addEventListener('abort', () => channel?.close())
  void lead().catch(() => {})
}

/** Applies what the tab with the connection reports. */
function createReceiver(queries: QueryClient) {
  const apply = createApplier(queries)
  let timer: ReturnType<typeof setTimeout> | undefined

  function silent(): void {
    if (streamedSince.read() === null) return
    streamedSince.set(null)
    // Polling intervals are long while streaming, so refetch now.
    readAll(queries)
  }

  return (message: Message) => {
    clearTimeout(timer)
    if ('state' in message && message.state === 'closed') {
      timer = setTimeout(silent, POLL_AFTER_MS)
      return
    }
    timer = setTimeout(silent, LEADER_TIMEOUT_MS + (('state' in message && message.quietMs) || 0))
    if ('event' in message) {
      if (message.event.name === 'resync' && streamedSince.read() !== null) streamedSince.set(Date.now())
      apply(message.event)
    } else if (streamedSince.read() === null) streamedSince.set(Date.now())
  }
}

/** Reconnects with backoff, resuming from the last event ID. Resolves when the server has no stream. */
async function keepConnected(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  let lastEventId: string | null = null
  let failures = 0
  const onEvent = (event: StreamEvent, id: string | undefined) => {
    if (id !== undefined && id !== '') lastEventId = id
    tell({ event })
  }
  while (!signal.aborted) {
    await outsideRush(signal)
    const session = new AbortController()
    const ended = AbortSignal.any([signal, session.signal])
    const unsubscribe = subscribeSession(() => session.abort())
    const options = () => ({ token: sessionToken(), lastEventId, signal: ended, onEvent })
    const requestedAt = Date.now()
    const waitMs = await followOnce(options(), tell)
    if (waitMs === null) return unsubscribe()
    if (!ended.aborted) {
      failures = Date.now() - requestedAt > STABLE_AFTER_MS ? 0 : failures + 1
      const backoffMs = failures <= 1 ? 0 : (FAILED_MS[Math.min(failures - 2, FAILED_MS.length - 1)] ?? 0)
      const spread = Math.random()
      const pauseMs = Math.max(waitMs, backoffMs) * (0.8 + 0.4 * spread) + RECONNECT_SPREAD_MS * spread
      const until = Date.now() + pauseMs
      const polling = { tell, signal: ended }
      // The pages would begin to poll one by one.
      if (pauseMs > POLL_AFTER_MS) await pollUntil(until, () => pollStream(options()), polling)
      await pauseUnless(until - Date.now(), ended)
    }
    unsubscribe()
  }
}

/** One connection, until it ends. Resolves as `readStream`; 0 if the network fails. */
async function followOnce(
  options: Omit<ReadOptions, 'onAlive'>,
  tell: (message: Message) => void,
): Promise<number | null> {
  let firstAt: number | null = null
  let opens: ReturnType<typeof setTimeout> | undefined
  const notifyOpen = () => tell({ state: 'open' })
  const waitMs = await readStream({
    ...options,
    onAlive() {
      firstAt ??= Date.now()
      if (Date.now() - firstAt >= OPEN_AFTER_MS) notifyOpen()
      else opens ??= setTimeout(notifyOpen, OPEN_AFTER_MS)
    },
  }).catch(() => 0)
  clearTimeout(opens)
  tell({ state: 'closed' })
  return waitMs
}

interface Polling {
  readonly tell: (message: Message) => void
  readonly signal: AbortSignal
}

/** Resolves before that time if polling fails too. */
async function pollUntil(
  until: number,
  poll: () => Promise<number | null>,
  { tell, signal }: Polling,
): Promise<void> {
  while (!signal.aborted) {
    if ((await poll().catch(() => null)) !== 0) return
    const everyMs = pollEvery()
    const waitMs = everyMs * (1 - POLL_SPREAD + 2 * POLL_SPREAD * Math.random())
    // Also through the rush at the start, in which nothing is refreshed.
    const quietMs = waitOutsideRush({ answeredAt: Date.now(), waitMs, everyMs, chance: Math.random() })
    tell({ state: 'open', quietMs })
    if (Date.now() + quietMs >= until) return
    await pauseOrShown(quietMs, signal)
  }
}

function pollEvery(): number {
  if (document.hidden) return HIDDEN_POLL_MS
  return isIdle() ? IDLE_POLL_MS : POLL_MS
}

/** Ends early when a hidden tab is shown. */
async function pauseOrShown(waitMs: number, signal: AbortSignal): Promise<void> {
  const shown = new AbortController()
  const wake = () => shown.abort()
  if (document.hidden) document.addEventListener('visibilitychange', wake, { once: true })
  await pauseUnless(waitMs, AbortSignal.any([signal, shown.signal]))
  document.removeEventListener('visibilitychange', wake)
}

/** Ends early when the signal aborts. */
async function pauseUnless(waitMs: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await pause(waitMs, signal).catch(() => {})
}

async function outsideRush(signal: AbortSignal): Promise<void> {
  const sinceStart = serverNow() - (startKnown() ?? 0)
  if (Math.abs(sinceStart) < RUSH_MS) await pause(RUSH_MS - sinceStart + RUSH_MS * Math.random(), signal)
}
