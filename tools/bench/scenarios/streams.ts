import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openStream, type StreamEventData } from '@pennant/contract/stream.ts'
import { createClient } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { createParser } from 'eventsource-parser'
import { freePort, startInstance, type Instance } from '../../lib/instance.ts'
import { fillContest, type Filled, type Pair } from '../fill.ts'
import { createProbe, type Probe } from '../probe.ts'
import { embeddedDatabasePid, residentMib, usageOf, type Processes } from '../usage.ts'
import { submitPairs } from './submit-pairs.ts'
import { monotonicMs, type Command } from './stream-clients.ts'

// What 10,000 open streams cost, how fast a solve reaches them, and whether a client of a killed replica misses an event.

const STREAMS = 10_000
const IDLE_MS = 30 * SECOND_MS
/** Long enough for the slowest of all streams. */
const ARRIVAL_MS = 3 * SECOND_MS
const ALONE_SOLVES = 10
const LOADED_FLAGS = 3000
/** Before both runs of them, because code that was not compiled yet would make the first one slow. */
const WARM_FLAGS = 1500

const ENVIRONMENT = {
  LOG_LEVEL: 'error',
  PENNANT_REGISTRATION_LIMIT_BURST: '1000',
  PENNANT_START_TIME: String(Date.now()),
  // One more than are held open: the client of the killed replica resumes here.
  PENNANT_HTTP_STREAMS_MAX: String(STREAMS + 1),
  PENNANT_TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
}

/** Prints the measurements. */
export async function measureStreams(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-streams-'))
  // A new data folder must be empty.
  const probeDir = await mkdtemp(join(tmpdir(), 'pennant-probe-'))
  const clients = fork(fileURLToPath(new URL('stream-clients.ts', import.meta.url)))
  try {
    const probe = createProbe(join(probeDir, 'probe.sock'))
    const env = { ...ENVIRONMENT, ...probe.env }
    const { nodeArgs } = probe
    await using instance = await startInstance({ dataDir, port: await freePort(), env, nodeArgs })
    console.log('filling: 450 teams, 20 challenges, 300 solves …')
    const filled = await fillContest(instance)
    const processes = { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) }
    await measureLoad(instance, filled, { clients, probe, processes })
    await measureFailover(instance, { filled, dataDir })
  } finally {
    clients.kill()
    for (const folder of [dataDir, probeDir]) await rm(folder, { recursive: true, force: true })
  }
}

interface Watchers {
  readonly clients: ChildProcess
  readonly probe: Probe
  readonly processes: Processes
}

async function measureLoad(instance: Instance, { openPairs }: Filled, watchers: Watchers): Promise<void> {
  const { clients, processes } = watchers
  const pid = processes.server ?? 0
  const port = Number(new URL(instance.url).port)
  const pairs = [...openPairs]
  await submitPairs(instance.url, pairs.splice(0, WARM_FLAGS))
  const without = await submitPairs(instance.url, pairs.splice(0, LOADED_FLAGS))
  await delay(IDLE_MS / 3)
  const [mibBefore, cpuBefore] = [residentMib(pid) ?? 0, await processorShare(watchers)]
  await ask(clients, { do: 'open', port, count: STREAMS, from: 0 })
  await delay(IDLE_MS / 3)
  const [mibAfter, cpuAfter] = [residentMib(pid) ?? 0, await processorShare(watchers)]
  console.log(`${STREAMS} idle streams: ${(mibAfter - mibBefore).toFixed(0)} MiB more resident memory`)
  console.log(`  processor: ${percent(cpuAfter)} of a core, ${percent(cpuBefore)} without`)
  await measureSolves(instance, pairs.splice(0, ALONE_SOLVES), watchers)

  await ask(clients, { do: 'note' })
  const before = await spentBy(watchers)
  const at = monotonicMs()
  const loaded = await submitPairs(instance.url, pairs.splice(0, LOADED_FLAGS))
  const seconds = (monotonicMs() - at) / SECOND_MS
  console.log(`the first of many right flags: ${quantiles(await arrivalsSince(clients, at))}`)
  const ratio = loaded.perSecond / without.perSecond
  console.log(
    `right flags: ${loaded.perSecond.toFixed(0)}/s with streams, ${without.perSecond.toFixed(0)}/s without, ratio ${ratio.toFixed(2)}`,
  )
  console.log(`  cores in use meanwhile: ${describeSpent(before, await spentBy(watchers), 1 / seconds)}`)
}

/** Of a solve at a time. */
async function measureSolves(instance: Instance, pairs: readonly Pair[], watchers: Watchers): Promise<void> {
  const delays: number[] = []
  const written: number[] = []
  const before = await spentBy(watchers)
  for (const pair of pairs) {
    const { arrivals, writtenMs } = await solveOnce(instance, pair, watchers)
    delays.push(...arrivals)
    written.push(writtenMs)
  }
  console.log(`a solve, until the server has written it to all streams: ${quantiles(written)}`)
  console.log(
    `a solve, until a client has read it: ${quantiles(delays)}, ${delays.length} of ${STREAMS * ALONE_SOLVES} arrivals`,
  )
  const each = describeSpent(before, await spentBy(watchers), SECOND_MS / pairs.length)
  console.log(`  processor time of one in ms: ${each}`)
}

/** Processor time in seconds, by who spends it: the cores are shared. */
interface Spent {
  readonly server: number
  readonly database: number
  readonly 'stream clients': number
  readonly 'sender of flags': number
}

async function spentBy({ clients, processes }: Watchers): Promise<Spent> {
  const { serverS, databaseS } = usageOf(processes)
  const { seconds } = (await ask(clients, { do: 'usage' })) as { seconds: number }
  const { user, system } = process.cpuUsage()
  return {
    server: serverS ?? NaN,
    database: databaseS ?? NaN,
    'stream clients': seconds,
    'sender of flags': (user + system) / 1e6,
  }
}

function describeSpent(before: Spent, after: Spent, factor: number): string {
  const names = Object.keys(after) as (keyof Spent)[]
  return names.map((name) => `${name} ${((after[name] - before[name]) * factor).toPrecision(2)}`).join(', ')
}

/** In milliseconds from the request: when each client read it, and when the server had written it to all of them. */
async function solveOnce(instance: Instance, pair: Pair, { clients, probe }: Watchers) {
  await ask(clients, { do: 'note' })
  await probe.ask('/reset')
  const at = monotonicMs()
  await solve(instance.url, pair)
  await delay(ARRIVAL_MS)
  const { lastAt } = await probe.writes()
  return { arrivals: await arrivalsSince(clients, at), writtenMs: (lastAt ?? NaN) - at }
}

async function solve(url: string, { token, challengeId: id }: Pair): Promise<void> {
  const call = createClient({ baseUrl: url })
  const response = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
  if (response.kind !== 'goodFlag') throw new Error(response.kind)
}

async function ask(clients: ChildProcess, command: Command): Promise<unknown> {
  const replied = once(clients, 'message')
  clients.send(command)
  return (await replied)[0]
}

async function arrivalsSince(clients: ChildProcess, at: number): Promise<number[]> {
  const { firstAt } = (await ask(clients, { do: 'report' })) as { firstAt: (number | null)[] }
  return firstAt.filter((arrivedAt) => arrivedAt !== null).map((arrivedAt) => arrivedAt - at)
}

function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${at(1)} ms`
}

/** Share of one core that the server uses over a while. */
async function processorShare({ processes }: Watchers): Promise<number> {
  const before = usageOf(processes).serverS ?? NaN
  await delay(IDLE_MS)
  return ((usageOf(processes).serverS ?? NaN) - before) / (IDLE_MS / SECOND_MS)
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** A second replica is killed while solves come in; its client resumes on the first one. */
async function measureFailover(
  first: Instance,
  { filled, dataDir }: { readonly filled: Filled; readonly dataDir: string },
): Promise<void> {
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  const databaseUrl = `postgres://pennant@/postgres?host=${host}&port=5432`
  const otherDir = await mkdtemp(join(tmpdir(), 'pennant-replica-'))
  const env = { ...ENVIRONMENT, DATABASE_URL: databaseUrl }
  const second = await startInstance({ dataDir: otherDir, port: await freePort(), env })
  const pairs = filled.openPairs.slice(-200)
  const solved: string[] = []
  let position = await readUntil(second.url, { solved, isDone: () => true })
  const solving = (async () => {
    for (const pair of pairs) await solve(first.url, pair)
  })()
  position = await readUntil(second.url, {
    solved,
    lastEventId: position,
    isDone: () => solved.length >= 50,
    onDone: () => second.process.kill('SIGKILL'),
  })
  await solving
  const isComplete = () => solved.length >= pairs.length
  if (!isComplete()) await readUntil(first.url, { solved, lastEventId: position, isDone: isComplete })
  const distinct = new Set(solved).size
  console.log(
    `a killed replica: ${pairs.length} solves, ${pairs.length - distinct} missing, ${solved.length - distinct} repeated`,
  )
  await rm(otherDir, { recursive: true, force: true })
}

interface Reading {
  /** Receives the solves, as challenge and team. */
  readonly solved: string[]
  readonly lastEventId?: string
  readonly isDone: () => boolean
  readonly onDone?: () => void
}

/** Reads a stream until it is done, or until the connection breaks. Returns the last position. */
async function readUntil(url: string, { solved, lastEventId, isDone, onDone }: Reading): Promise<string> {
  let position = lastEventId ?? ''
  const stop = new AbortController()
  const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (event === 'resync') console.log('resync: the position is unknown')
      if (id === undefined) return
      position = id
      if (event === 'solves') {
        const { solves } = JSON.parse(data) as StreamEventData<'solves'>
        solved.push(...solves.map(({ challengeId, userId }) => `${challengeId} ${userId}`))
      }
      if (isDone() && onDone) onDone()
      else if (isDone()) stop.abort()
    },
  })
  const decoder = new TextDecoder()
  try {
    const response = await fetch(url + openStream.path, { headers, signal: stop.signal })
    if (response.status !== 200) console.log(`a stream was refused: ${response.status}`)
    for await (const bytes of response.body ?? [])
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }))
  } catch {
    // The replica was killed, or everything has arrived.
  }
  return position
}
