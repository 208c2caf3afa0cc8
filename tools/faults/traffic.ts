import { setTimeout as delay } from 'node:timers/promises'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Service } from './processes.ts'
import type { Ledger } from './ledger.ts'
import { pushOnce, uploadOnce, type Newcomer } from './organisers.ts'

const WRITERS = 4
const READERS = 2
/** Requests that take longer count as errors. */
const REQUEST_LIMIT_MS = 60_000
const RETRY_MS = 50
const READ_INTERVAL_MS = 20
const READ_PATH = '/api/v2/leaderboard/now?limit=100&offset=0'

/** What the clients of one replica saw. */
export interface Seen {
  readonly service: Service
  reads: Gaps
  writes: Gaps
}

/** The longest time between two successes. */
interface Gaps {
  count: number
  last: number
  longestMs: number
}

export interface Traffic {
  readonly seen: readonly Seen[]
  /** Responses that were neither expected nor 503 with Retry-After, and broken connections of running replicas. */
  readonly errors: Map<string, number>
  /** Responses with status 503 and Retry-After. */
  readonly unavailable: { reads: number; writes: number }
  stop(): Promise<void>
}

/**
 * On each replica, clients that register teams and submit wrong and right flags, clients that read, the backend of a
 * dynamic challenge that pushes scores, and an organiser who uploads files.
 */
export function startTraffic(services: readonly Service[], ledger: Ledger, adminToken: string): Traffic {
  const errors = new Map<string, number>()
  const seen = services.map((service): Seen => ({ service, reads: newGaps(), writes: newGaps() }))
  let isStopping = false
  const unavailable = { reads: 0, writes: 0 }

  async function repeat(
    { service, reads, writes }: Seen,
    kind: 'reads' | 'writes',
    work: () => Promise<void>,
  ): Promise<void> {
    while (!isStopping) {
      const wasKilled = service.isKilled()
      // The time in which a replica is killed and starts is not a pause of a running one.
      if (wasKilled) reads.last = writes.last = performance.now()
      try {
        await work()
      } catch (error) {
        // A replica that starts answers 503 until it is ready, and a load balancer does not send it requests.
        if (error instanceof Unavailable) unavailable[kind] += wasKilled ? 0 : 1
        else if (!wasKilled && !service.isKilled() && !(await wasJustKilled(service))) {
          const text = error instanceof Error ? String(error.cause ?? error.message) : String(error)
          errors.set(text, (errors.get(text) ?? 0) + 1)
        }
        await delay(RETRY_MS)
      }
    }
  }

  const running = seen.flatMap((one) => {
    const call = createClient({ baseUrl: one.service.url, fetch: checkedFetch })
    const newcomer: Newcomer = { current: null }
    const writers = Array.from({ length: WRITERS }, () =>
      repeat(one, 'writes', async () => {
        newcomer.current = await playOnce(call, ledger, () => succeed(one, 'writes'))
      }),
    )
    const organisers = [
      repeat(one, 'writes', () => pushOnce(call, ledger, newcomer)),
      repeat(one, 'writes', () => uploadOnce(call, ledger, adminToken)),
    ]
    const readers = Array.from({ length: READERS }, () =>
      repeat(one, 'reads', async () => {
        const response = await checkedFetch(one.service.url + READ_PATH)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`read: ${response.status}`)
        succeed(one, 'reads')
        await delay(READ_INTERVAL_MS)
      }),
    )
    return [...writers, ...readers, ...organisers]
  })
  return {
    seen,
    errors,
    unavailable,
    async stop() {
      isStopping = true
      await Promise.all(running)
    },
  }
}

function newGaps(): Gaps {
  return { count: 0, last: performance.now(), longestMs: 0 }
}

function succeed(seen: Seen, kind: 'reads' | 'writes'): void {
  const gaps = seen[kind]
  const now = performance.now()
  gaps.longestMs = Math.max(gaps.longestMs, now - gaps.last)
  gaps.last = now
  gaps.count++
}

class Unavailable extends Error {}

async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })
  if (response.status !== 503) return response
  await response.arrayBuffer()
  if (response.headers.has('retry-after')) throw new Unavailable()
  throw new Error('503 without Retry-After')
}

/** A connection may break a moment before the exit of its process is reported. */
async function wasJustKilled(service: Service): Promise<boolean> {
  await delay(RETRY_MS)
  return service.isKilled()
}

let teams = 0

async function playOnce(call: Client, ledger: Ledger, succeeded: () => void) {
  const name = `team ${++teams}`
  const body = { name, email: `team-${teams}@ctf.example` }
  const made = await call(registerV2, { body })
  if (made.kind !== 'goodRegisterV2') throw new Error(`register: ${made.kind}`)
  ledger.teams.push(name)
  succeeded()
  const { authToken: token } = made.data
  for (const id of ledger.challengeIds) {
    const wrong = `flag{wrong ${name} ${id}}`
    const refused = await call(submitFlag, { token, params: { id }, body: { flag: wrong } })
    if (refused.kind !== 'badFlag') throw new Error(`wrong flag: ${refused.kind}`)
    ledger.wrong.push(wrong)
    succeeded()
    const solved = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
    if (solved.kind !== 'goodFlag') throw new Error(`right flag: ${solved.kind}`)
    ledger.solves.push(`${name}/${id}`)
    succeeded()
  }
  return { name, token }
}
