import { createClient } from '@pennant/contract/client.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { flagOf } from '../../seed/large/load.ts'
import { quantileOf } from '../report.ts'
import { watchStream, type WatchedStream } from './stream.ts'
import { agree, readers, VIEWS, type Expected, type Seen, type ViewName } from './views.ts'

// Submits right flags to one server and reads from another, or the same one, until each view shows the solve.

/** A view that does not show the solve after this time never does. */
const PATIENCE_MS = 30 * SECOND_MS
/** Between two reads of the same view. */
const LOOK_EVERY_MS = 1
/** Between two flags. Streams get at most one event in a while: docs/reference/stream.md */
const PAUSE_MS = 300
/** Solves that are not counted: they compile the code of the routes. */
const WARM_UP = 5

export interface Probed {
  /** Milliseconds from the response to the right flag until the view, read again and again, showed the solve. */
  readonly views: Readonly<Record<ViewName | 'stream', readonly number[]>>
  /** Until all views showed it. */
  readonly all: readonly number[]
  /** The most reads of one view that a solve needed; 1 means that the first one showed it. */
  readonly maxReads: number
  /** Solves after which the views named different scores or points. */
  readonly disagreements: number
}

export interface ProbeOptions {
  readonly submitUrl: string
  readonly readUrl: string
  /** In order; the first ones warm up. */
  readonly solves: readonly Expected[]
}

export async function probe({ submitUrl, readUrl, solves }: ProbeOptions): Promise<Probed> {
  const views = Object.fromEntries([...VIEWS, 'stream'].map((name) => [name, [] as number[]])) as Record<
    ViewName | 'stream',
    number[]
  >
  const all: number[] = []
  let maxReads = 0
  let disagreements = 0
  using stream = await watchStream(readUrl)
  for (const [n, expected] of solves.entries()) {
    const seen = await solveAndLook({ submitUrl, readUrl, stream }, expected)
    await pause(PAUSE_MS)
    if (n < Math.min(WARM_UP, solves.length - 1)) continue
    for (const name of VIEWS) views[name].push(seen.views[name].ms)
    views.stream.push(seen.streamMs)
    all.push(Math.max(seen.streamMs, ...VIEWS.map((name) => seen.views[name].ms)))
    maxReads = Math.max(maxReads, ...VIEWS.map((name) => seen.views[name].reads))
    if (!agree(VIEWS.map((name) => seen.views[name].seen))) disagreements += 1
  }
  return { views, all, maxReads, disagreements }
}

interface Servers {
  readonly submitUrl: string
  readonly readUrl: string
  readonly stream: WatchedStream
}

async function solveAndLook({ submitUrl, readUrl, stream }: Servers, expected: Expected) {
  const { challengeId, teamId } = expected
  await submit(submitUrl, expected)
  const at = performance.now()
  const call = createClient({ baseUrl: readUrl })
  const looking = VIEWS.map(
    async (name) => [name, await pollUntilShown(name, { call, expected, at })] as const,
  )
  const [shown, arrivedAt] = await Promise.all([
    Promise.all(looking),
    withPatience(stream.arrival(challengeId, teamId), 'stream'),
  ])
  return {
    views: Object.fromEntries(shown) as Record<ViewName, Shown>,
    // The event may arrive before the response.
    streamMs: Math.max(0, arrivedAt - at),
  }
}

async function submit(url: string, { token, challengeId: id }: Expected): Promise<void> {
  const call = createClient({ baseUrl: url })
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const { kind } = await call(submitFlag, { token, params: { id }, body: { flag: flagOf(id) } })
    if (kind === 'goodFlag') return
    // An overloaded server refuses some.
    if (kind !== 'errorUnavailable') throw new Error(`a right flag was answered with ${kind}`)
    await pause(SECOND_MS)
  }
  throw new Error('right flags are refused')
}

interface Shown {
  readonly ms: number
  readonly reads: number
  readonly seen: Seen
}

interface Looking {
  readonly call: ReturnType<typeof createClient>
  readonly expected: Expected
  readonly at: number
}

async function pollUntilShown(name: ViewName, { call, expected, at }: Looking): Promise<Shown> {
  for (let reads = 1; performance.now() - at < PATIENCE_MS; reads += 1) {
    const seen = await readers[name](call, expected)
    if (seen) return { ms: performance.now() - at, reads, seen }
    await pause(LOOK_EVERY_MS)
  }
  throw new Error(`${name} does not show a solve after ${PATIENCE_MS} ms`)
}

async function withPatience<T>(promise: Promise<T>, name: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name} does not show a solve after ${PATIENCE_MS} ms`)),
      PATIENCE_MS,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The columns of a row. */
export function columnsOf({ views, all, maxReads, disagreements }: Probed) {
  const p99 = [...VIEWS, 'stream' as const].map((name) => [`${name} p99 ms`, quantileOf(views[name], 0.99)])
  return {
    solves: all.length,
    'all p50 ms': quantileOf(all, 0.5),
    'all p99 ms': quantileOf(all, 0.99),
    'all max ms': quantileOf(all, 1),
    ...(Object.fromEntries(p99) as Record<string, number>),
    'most reads': maxReads,
    disagreements,
  }
}
