import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  BEHAVIOURS,
  startHostileClients,
  type BehaviourName,
  type Target,
} from '../../../server/test/hostile-clients.ts'
import { freePort, startInstance, type Instance } from '../../lib/instance.ts'
import { load, type LoadResult } from './load.ts'

// The cost of hostile connections: the server's memory, and the latency of a few honest clients during the
// attack.

const HONEST_CONNECTIONS = 4
const SECONDS = 15
const SAMPLE_MS = 100
/** Readable without authentication. */
const HONEST_PATH = '/api/v2/leaderboard/now?limit=100&offset=0'

interface Measured {
  readonly name: string
  readonly honest: LoadResult
  readonly peakMib: number
  readonly afterMib: number
  readonly mostOpen: number
}

/** Prints a table of all kinds of hostile clients and a run without any for comparison. */
export async function measureHostileClients(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-hostile-'))
  const port = await freePort()
  try {
    const env = { LOG_LEVEL: 'error', PENNANT_START_TIME: String(Date.now()) }
    await using instance = await startInstance({ dataDir, port, env })
    const { authToken } = await instance.createAdmin('bench')
    const target = { port, token: authToken, largePath: '/api/openapi.json' }
    const rows = [await measure(instance, 'none', null)]
    for (const name of Object.keys(BEHAVIOURS) as BehaviourName[]) {
      rows.push(await measure(instance, name, { name, target }))
    }
    printTable(rows)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Clients {
  readonly name: BehaviourName
  readonly target: Target
}

async function measure(instance: Instance, name: string, clients: Clients | null): Promise<Measured> {
  const residentMib = () => residentMibOf(instance.process.pid ?? 0)
  // In a separate process, so that they do not slow down the honest clients.
  const child = clients && fork(fileURLToPath(import.meta.url), [JSON.stringify(clients)])
  if (child) await once(child, 'message')
  let peakMib = residentMib()
  let mostOpen = 0
  const timer = setInterval(() => (peakMib = Math.max(peakMib, residentMib())), SAMPLE_MS)
  const counting = setInterval(() => {
    void openConnections(instance.url).then((open) => (mostOpen = Math.max(mostOpen, open)))
  }, 1000)
  const url = instance.url + HONEST_PATH
  const honest = await load({ url, connections: HONEST_CONNECTIONS, seconds: SECONDS })
  clearInterval(timer)
  clearInterval(counting)
  if (child) {
    child.kill()
    await once(child, 'exit')
  }
  return { name, honest, peakMib, afterMib: residentMib(), mostOpen }
}

function residentMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}

async function openConnections(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then((response) => response.text())
  return Number(/^pennant_http_connections (\d+)/m.exec(text)?.[1] ?? 0)
}

function printTable(rows: readonly Measured[]): void {
  const head = ['clients', 'open', 'peak MiB', 'after MiB', 'others per s', 'p50 ms', 'p99 ms', 'not 2xx']
  const lines = rows.map(({ name, honest, peakMib, afterMib, mostOpen }) => [
    name,
    mostOpen,
    peakMib,
    afterMib,
    honest.perSecond.toFixed(0),
    honest.p50Ms.toFixed(1),
    honest.p99Ms.toFixed(1),
    honest.not2xx,
  ])
  for (const line of [head, head.map(() => '---'), ...lines]) console.log(`| ${line.join(' | ')} |`)
}

/** Runs in the process of the hostile clients until it is killed. */
function runClients(argument: string): void {
  const { name, target } = JSON.parse(argument) as Clients
  startHostileClients(name, target)
  process.send?.('started')
}

if (process.send && process.argv[2]) runClients(process.argv[2])
