import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@pennant/contract/client.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { openContest, type Pair } from '../../lib/large-contest.ts'
import { flagOf } from '../../seed/large/load.ts'
import { DATA_SETS } from '../../seed/large/sets.ts'
import type { Options } from '../options.ts'
import { quantileOf, type Row, type Section } from '../report.ts'
import { embeddedDatabasePid, serverMib, usageOf, type Processes } from '../usage.ts'
import { monotonicMs, type Command } from './stream-clients.ts'

// What open streams cost, and how fast a solve reaches them.

const LONG = { streams: 10_000, solves: 10, idleS: 20, arrivalMs: 3 * SECOND_MS }
const SHORT = { streams: 50, solves: 2, idleS: 1, arrivalMs: SECOND_MS / 2 }

export async function streamScenario(options: Options): Promise<Section[]> {
  const { streams, solves, idleS, arrivalMs } = options.isShort ? SHORT : LONG
  const env = { PENNANT_HTTP_STREAMS_MAX: String(streams) }
  await using contest = await openContest(DATA_SETS[options.data], { env })
  const { instance, dataDir } = contest
  const processes = { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) }
  const clients = fork(fileURLToPath(new URL('stream-clients.ts', import.meta.url)))
  try {
    const rows = [await idleRow('no streams', processes, idleS)]
    const port = Number(new URL(instance.url).port)
    await ask(clients, { port, count: streams })
    const idle = await idleRow(`${streams} streams`, processes, idleS)
    const before = usageOf(processes)
    const delays: number[] = []
    const first: number[] = []
    for (const pair of contest.takePairs(solves)) {
      await ask(clients, 'report')
      const at = monotonicMs()
      await solve(instance.url, pair)
      await delay(arrivalMs)
      const arrivals = ((await ask(clients, 'report')) as number[]).map((arrivedAt) => arrivedAt - at)
      delays.push(...arrivals)
      first.push(quantileOf(arrivals, 0))
    }
    const spentMs = ((usageOf(processes).serverS ?? NaN) - (before.serverS ?? NaN)) * SECOND_MS
    rows.push({
      ...idle,
      'first p50 ms': quantileOf(first, 0.5),
      'p50 ms': quantileOf(delays, 0.5),
      'p99 ms': quantileOf(delays, 0.99),
      'last ms': quantileOf(delays, 1),
      missed: solves * streams - delays.length || null,
      'server ms per solve': spentMs / solves,
    })
    const note =
      'From the request with the right flag until clients have read the event. Percent of one core.'
    return [{ title: `Streams, ${options.data}, a solve at a time`, rows, notes: [note] }]
  } finally {
    clients.kill()
  }
}

async function idleRow(name: string, processes: Processes, seconds: number): Promise<Row> {
  await delay((seconds * SECOND_MS) / 2)
  const before = usageOf(processes)
  await delay(seconds * SECOND_MS)
  const after = usageOf(processes)
  return {
    open: name,
    'idle %': (100 * ((after.serverS ?? NaN) - (before.serverS ?? NaN))) / seconds,
    MiB: Math.round(serverMib(processes) ?? NaN),
  }
}

async function solve(url: string, { token, challengeId: id }: Pair): Promise<void> {
  const { kind } = await createClient({ baseUrl: url })(submitFlag, {
    token,
    params: { id },
    body: { flag: flagOf(id) },
  })
  if (kind !== 'goodFlag') throw new Error(`a right flag was answered with ${kind}`)
}

async function ask(clients: ChildProcess, command: Command): Promise<unknown> {
  const replied = once(clients, 'message')
  clients.send(command)
  return (await replied)[0]
}
