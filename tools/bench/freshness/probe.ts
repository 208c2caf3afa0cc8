import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { flagOf } from '../../seed/large/load.ts'
import { quantileOf, type Row } from '../report.ts'
import { watchStream } from './stream.ts'
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

interface ProbeOptions {
  readonly submitUrl: string
  readonly readUrl: string
  /** In order; the first ones warm up. */
  readonly solves: readonly Expected[]
}

/** Times from the response to the right flag until a view, read again and again, shows the solve. */
export async function probe({ submitUrl, readUrl, solves }: ProbeOptions): Promise<Row> {
  const [submitTo, readFrom] = [createClient({ baseUrl: submitUrl }), createClient({ baseUrl: readUrl })]
  const times = new Map<string, number[]>()
  const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  let disagreements = 0
  using stream = await watchStream(readUrl)
  for (const [n, expected] of solves.entries()) {
    const { token, challengeId: id, teamId } = expected
    const { kind } = await submitTo(submitFlag, { token, params: { id }, body: { flag: flagOf(id) } })
    if (kind !== 'goodFlag') throw new Error(`a right flag was answered with ${kind}`)
    const at = performance.now()
    const [arrivedAt, ...shown] = await Promise.all([
      withPatience(stream.arrival(id, teamId)),
      ...VIEWS.map((name) => pollUntilShown(name, readFrom, expected)),
    ])
    await pause(PAUSE_MS)
    if (n < Math.min(WARM_UP, solves.length - 1)) continue
    // The event may arrive before the response.
    add('stream', Math.max(0, arrivedAt - at))
    for (const { name, shownAt } of shown) add(name, shownAt - at)
    add('all', Math.max(arrivedAt, ...shown.map(({ shownAt }) => shownAt)) - at)
    if (!agree(shown.map(({ seen }) => seen))) disagreements += 1
  }
  const all = times.get('all') ?? []
  const p99 = [...VIEWS, 'stream'].map((name) => [`${name} p99 ms`, quantileOf(times.get(name) ?? [], 0.99)])
  return {
    solves: all.length,
    'all p50 ms': quantileOf(all, 0.5),
    'all p99 ms': quantileOf(all, 0.99),
    'all max ms': quantileOf(all, 1),
    ...Object.fromEntries(p99),
    disagreements,
  }
}

interface Shown {
  readonly name: ViewName
  readonly shownAt: number
  readonly seen: Seen
}

async function pollUntilShown(name: ViewName, call: Client, expected: Expected): Promise<Shown> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const seen = await readers[name](call, expected)
    if (seen) return { name, shownAt: performance.now(), seen }
    await pause(LOOK_EVERY_MS)
  }
  throw new Error(`${name} does not show a solve after ${PATIENCE_MS} ms`)
}

async function withPatience(arrival: Promise<number>): Promise<number> {
  const arrivedAt = await Promise.race([arrival, pause(PATIENCE_MS, null, { ref: false })])
  if (arrivedAt === null) throw new Error(`the stream does not show a solve after ${PATIENCE_MS} ms`)
  return arrivedAt
}
