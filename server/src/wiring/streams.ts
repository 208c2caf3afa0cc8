import { hkdfSync } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Config } from '../config/config.ts'
import { createEventIds, type EventIds } from '../features/live/stream/frames.ts'
import { createStreamHub, type StreamHub } from '../features/live/stream/hub.ts'
import { processorMs } from '../lib/processor-time.ts'
import type { Stores } from './stores.ts'

/** The live streams of this process. */
export function openStreams(
  { http, tokenKey }: Config,
  { follower, kinds, visibility, now }: Stores,
): StreamHub {
  const { max: maxTotal, maxPerAddress, maxPerTeam } = http.streams
  const limits = { maxTotal, maxPerAddress, maxPerTeam }
  return createStreamHub({
    follower,
    now,
    elapsedMs,
    processorMs,
    limits,
    ids: eventIdsOf(tokenKey),
    kinds,
    visibility: visibility.settings,
  })
}

/** The same on all replicas. */
export function eventIdsOf(tokenKey: Buffer): EventIds {
  return createEventIds(Buffer.from(hkdfSync('sha256', tokenKey, '', 'pennant stream ids', 32)))
}

const elapsedMs = () => performance.now()
