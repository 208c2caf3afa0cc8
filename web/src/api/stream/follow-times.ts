import type { QueryClient } from '@tanstack/react-query'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { MAX_TIMES_WAIT_MS, waitForTimes } from '@pennant/contract/client-config.ts'
import { serverNow } from '../../state/clock.ts'
import { learnStart } from '../../state/opening.ts'
import { pause } from '../../state/pause.ts'
import { streamedSince } from '../../state/stream.ts'
import { ask } from '../client.ts'
import { RequestFailure } from '../failure.ts'
import { configQuery } from '../queries.ts'

/** A response takes longer than the wait on a slow network. */
const TIMEOUT_MS = MAX_TIMES_WAIT_MS + 15 * SECOND_MS
/**
 * No request waits at the start: it would be one more in the rush, and a cancelled one costs its connection. The moments
 * before the start look up the times once more anyway.
 */
const UNTIL_MS = MAX_TIMES_WAIT_MS + 10 * SECOND_MS
/** Between checks of whether waiting makes sense. */
const CHECK_MS = 2 * SECOND_MS
/** Between requests that the server answers immediately, because too many browsers wait. */
const UNHEARD_EVERY_MS = 10 * SECOND_MS
/** After failures. */
const FAILED_EVERY_MS = 20 * SECOND_MS
/** All waiting browsers get their response in the same second. */
const SPREAD_MS = SECOND_MS

/**
 * While the event has not started and there is no live stream, follows a moved start with a long poll:
 * docs/decisions/0034-push-changes-over-one-stream.md. Ends when the signal aborts, or if the server does not know the
 * route.
 */
export async function followTimes(queries: QueryClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await untilVisible(signal)
    if (!isUseful(queries)) {
      await pause(CHECK_MS, signal)
      continue
    }
    const result = await lookUpWhileUseful(queries, signal)
    if (result === null) return
    await pause(result + Math.random() * SPREAD_MS, signal)
  }
}

function isUseful(queries: QueryClient): boolean {
  return streamedSince.read() === null && isFarAhead(queries)
}

/** An unanswered request would count as a lost one, and the site would take the server for unreachable. */
async function lookUpWhileUseful(queries: QueryClient, signal: AbortSignal): Promise<number | null> {
  const useless = new AbortController()
  const timer = setInterval(() => {
    if (!isUseful(queries)) useless.abort()
  }, CHECK_MS)
  try {
    return await lookUp(queries, AbortSignal.any([signal, useless.signal]))
  } finally {
    clearInterval(timer)
  }
}

function isFarAhead(queries: QueryClient): boolean {
  const startTime = queries.getQueryData(configQuery.queryKey)?.startTime
  return startTime !== undefined && startTime - serverNow() > UNTIL_MS
}

/** Waits for other times once. Returns the milliseconds to the next request; null if there is none. */
async function lookUp(queries: QueryClient, signal: AbortSignal): Promise<number | null> {
  const config = queries.getQueryData(configQuery.queryKey)
  if (!config) return UNHEARD_EVERY_MS
  const askedAt = Date.now()
  const query = { startTime: String(config.startTime), endTime: String(config.endTime) }
  try {
    const times = await ask(waitForTimes, { query }, { signal, timeoutMs: TIMEOUT_MS })
    const { scheduled: _, freezeTime: known, ...rest } = config
    const isMoved =
      times.startTime !== config.startTime || times.endTime !== config.endTime || times.freezeTime !== known
    if (!isMoved) return Math.max(0, UNHEARD_EVERY_MS - (Date.now() - askedAt))
    learnStart(times.startTime)
    queries.setQueryData(configQuery.queryKey, { ...rest, ...times })
    return 0
  } catch (error) {
    if (error instanceof RequestFailure && (error.kind === 'badEndpoint' || error.kind === 'badBody'))
      return null
    return FAILED_EVERY_MS
  }
}

/** Hidden tabs do not wait: many stay open in the background. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return
  await new Promise<void>((resolve) => {
    const ended = new AbortController()
    const look = () => {
      if (document.hidden && !signal.aborted) return
      ended.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', look, { signal: ended.signal })
    signal.addEventListener('abort', look, { signal: ended.signal })
  })
}
