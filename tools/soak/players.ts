import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@pennant/contract/client.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { getGraphV2, getLatestSolves, getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import type { Filled, Pair } from './fill.ts'
import type { Instance } from '../lib/instance.ts'

/** What players saw since the last look. */
export interface Played {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Unexpected responses, with how often they came. */
  readonly errors: ReadonlyMap<string, number>
}

export interface Playing {
  readonly filled: Filled
  /** The open pairs are solved one after another over this time. */
  readonly durationMs: number
}

const PLAYERS = 24
const THINK_MS = 40
/** Share of submissions; the rest are reads. */
const SUBMISSIONS = 0.1
const STREAMS = 100
/** Streams are closed after a time between this and twice as much, as people close pages. */
const STREAM_MS = 10 * SECOND_MS
/** Beyond these, latencies of a window are a sample of the newest. */
const MAX_LATENCIES = 200_000
const MAX_ERRORS = 50

type Action = (pair: Pair) => Promise<string>

/** Players who read and submit at a human pace, and browsers that hold streams. */
export function startPlayers({ url }: Instance, { filled, durationMs }: Playing) {
  const { openPairs } = filled
  const call = createClient({ baseUrl: url })
  const stop = new AbortController()
  const { signal } = stop
  setMaxListeners(PLAYERS + STREAMS * 2 + 1, signal)
  const record = createRecord(signal)
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
  const page = { limit: '100', offset: '0' }
  const reads: readonly Action[] = [
    async ({ token }) => (await call(listChallengesV2, { token })).kind,
    async () => (await call(getLeaderboardV2, { query: page })).kind,
    async () => (await call(getGraphV2, { query: { limit: '10', offset: '0' } })).kind,
    async () => (await call(getLatestSolves, {})).kind,
    async ({ token }) => (await call(readOwnProfileV2, { token })).kind,
  ]
  const submit = async (flag: string, { token, challengeId }: Pair) =>
    (await call(submitFlag, { token, params: { id: challengeId }, body: { flag } })).kind

  async function play(): Promise<void> {
    while (!signal.aborted) {
      const pair = someOf(openPairs)
      const isSubmitted = Math.random() < SUBMISSIONS
      await record.measure(() => (isSubmitted ? submit('flag{wrong}', pair) : someOf(reads)(pair)))
      await pause(THINK_MS * 2 * Math.random())
    }
  }

  async function solve(): Promise<void> {
    for (const pair of openPairs) {
      if (signal.aborted) return
      await record.measure(() => submit(`flag{${pair.challengeId}}`, pair))
      await pause(durationMs / openPairs.length)
    }
  }

  async function hold(): Promise<void> {
    while (!signal.aborted) {
      const closed = AbortSignal.any([
        signal,
        AbortSignal.timeout(Math.round(STREAM_MS * (1 + Math.random()))),
      ])
      try {
        await holdStream(url, someOf(openPairs), closed)
      } catch (error) {
        if (!closed.aborted) record.failed(String(error))
        await pause(SECOND_MS / 2)
      }
    }
  }

  const running = [
    ...Array.from({ length: PLAYERS }, play),
    ...Array.from({ length: STREAMS }, hold),
    solve(),
  ]
  return {
    take: record.take,
    async stop() {
      stop.abort()
      await Promise.all(running)
    },
  }
}

/** Reads a stream until the signal, or until the server ends it. */
async function holdStream(url: string, { token }: Pair, signal: AbortSignal): Promise<void> {
  const headers = { accept: STREAM_TYPE, authorization: `Bearer ${token}` }
  const response = await fetch(url + openStream.path, { signal, headers })
  if (!response.ok) throw new Error(`a stream: ${response.status}`)
  for await (const _ of response.body ?? []) if (signal.aborted) return
}

/** Of flags, besides the goods. */
const EXPECTED = new Set(['badFlag', 'badRateLimit', 'badAlreadySolvedChallenge'])

/** Latencies and errors since the last look. */
function createRecord(stop: AbortSignal) {
  let latencies: number[] = []
  let count = 0
  let errors = new Map<string, number>()
  const failed = (error: string) => {
    if (errors.size < MAX_ERRORS || errors.has(error)) errors.set(error, (errors.get(error) ?? 0) + 1)
  }
  return {
    failed,
    async measure(action: () => Promise<string>): Promise<void> {
      const at = performance.now()
      const kind = await action().catch((error: unknown) => String(error))
      latencies[count % MAX_LATENCIES] = performance.now() - at
      count += 1
      if (!kind.startsWith('good') && !EXPECTED.has(kind) && !stop.aborted) failed(kind)
    },
    take(): Played {
      const sorted = latencies.toSorted((one, other) => one - other)
      const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN
      const seen = { count, p50Ms: at(0.5), p99Ms: at(0.99), errors }
      latencies = []
      count = 0
      errors = new Map()
      return seen
    },
  }
}

function someOf<T>(list: readonly T[]): T {
  const found = list[Math.floor(Math.random() * list.length)]
  if (found === undefined) throw new Error('the list is empty')
  return found
}
