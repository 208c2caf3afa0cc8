import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@pennant/contract/client.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { freePort, startInstance } from '../../lib/instance.ts'
import { fillContest, type Pair } from '../fill.ts'
import type { Counts } from './overload-clients.ts'
import { markdownOf } from '../report.ts'

// Right flags while many more readers refresh than the process can serve: with and without refusals.

const READERS = 6000
const FLAGS = 400
const SOLVERS = 8
/** Until all readers are there and the level has settled. */
const SETTLE_MS = 8 * SECOND_MS
/** A page of the scoreboard, as the site reads it. */
const PATH = '/api/v2/leaderboard/now?limit=100&offset=0&with=trend'

interface Measured {
  readonly name: string
  /** Milliseconds that each right flag took, ascending; those that were refused are missing. */
  readonly flags: readonly number[]
  readonly servedPerS: number
  readonly refusedPerS: number
  readonly broken: number
}

/** Prints a table of a quiet server, and of an overloaded one without and with refusals. */
export async function measureOverload(): Promise<void> {
  const rows = [
    await measure('quiet', { readers: 0, delayMs: 50 }),
    await measure(`${READERS} readers, nothing refused`, { readers: READERS, delayMs: 0 }),
    await measure(`${READERS} readers, overloadDelay 50`, { readers: READERS, delayMs: 50 }),
  ]
  const table = rows.map(({ name, flags, servedPerS, refusedPerS, broken }) => ({
    run: name,
    'flags solved': flags.length,
    'p50 ms': flags[Math.floor(flags.length / 2)] ?? NaN,
    'p95 ms': flags[Math.floor(flags.length * 0.95)] ?? NaN,
    'reads per s': Math.round(servedPerS),
    'refused per s': Math.round(refusedPerS),
    broken,
  }))
  for (const line of markdownOf({ title: 'Overload', rows: table })) console.log(line)
}

interface Run {
  readonly readers: number
  readonly delayMs: number
}

async function measure(name: string, { readers, delayMs }: Run): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-overload-'))
  const clients = fork(fileURLToPath(new URL('overload-clients.ts', import.meta.url)))
  try {
    const env = {
      LOG_LEVEL: 'error',
      PENNANT_REGISTRATION_LIMIT_BURST: '1000',
      PENNANT_START_TIME: String(Date.now()),
      PENNANT_HTTP_OVERLOAD_DELAY: String(delayMs),
      PENNANT_HTTP_MAX_CONNECTIONS_PER_ADDRESS: '16384',
    }
    await using instance = await startInstance({ dataDir, port: await freePort(), env })
    const { openPairs } = await fillContest(instance)
    const port = Number(new URL(instance.url).port)
    const count = async () => {
      clients.send('count')
      const [counts] = (await once(clients, 'message')) as [Counts]
      return counts
    }
    if (readers > 0) {
      clients.send({ port, path: PATH, count: readers })
      await delay(SETTLE_MS)
    }
    const [before, at] = [await count(), performance.now()]
    const flags = await solve(instance.url, openPairs.slice(0, FLAGS))
    const [after, seconds] = [await count(), (performance.now() - at) / SECOND_MS]
    return {
      name,
      flags,
      servedPerS: (after.served - before.served) / seconds,
      refusedPerS: (after.refused - before.refused) / seconds,
      broken: after.broken,
    }
  } finally {
    clients.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Solves the pairs, a few at a time. */
async function solve(url: string, pairs: readonly Pair[]): Promise<number[]> {
  const call = createClient({ baseUrl: url })
  const left = [...pairs]
  const tookMs: number[] = []
  const solveNext = async () => {
    for (let pair = left.pop(); pair; pair = left.pop()) {
      const { token, challengeId: id } = pair
      const at = performance.now()
      const { kind } = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
      if (kind === 'goodFlag') tookMs.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: SOLVERS }, solveNext))
  return tookMs.toSorted((one, other) => one - other)
}
