import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { freePort, startInstance, type Instance } from '../../lib/instance.ts'
import { openContest, type Contest } from '../data/contest.ts'
import { DATA_SETS } from '../data/sets.ts'
import type { IdleCounts, Idlers } from '../idle/browsers.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import { databaseMib, embeddedDatabasePid, serverMib, usageOf, type Processes } from '../usage.ts'

// What a server costs while nobody does anything, alone and with open pages.

const LONG = { browsers: 5000, settleS: 20, measureS: 20 }
const SHORT = { browsers: 20, settleS: 1, measureS: 1 }

type Size = typeof LONG

export async function idleScenario(options: Options): Promise<Section[]> {
  const size = options.isShort ? SHORT : LONG
  const rows = [await measureEmpty(options, size)]
  const serveArgs = options.processes > 1 ? ['--processes', String(options.processes)] : []
  await using contest = await openContest(DATA_SETS[options.data], { serveArgs })
  const processes = processesOf(contest.instance, contest.dataDir)
  rows.push(await measureFor('nobody', processes, size))
  for (const kind of ['polling', 'streaming'] as const)
    rows.push(await measureBrowsers(contest, { kind, processes, size }))
  const title = `Idle, ${options.data}, ${size.measureS} s each`
  const note =
    'Percent of one core. Memory of the server is resident memory; that of the database counts shared memory once.'
  return [{ title, rows, notes: [note] }]
}

/** A server with an empty database. */
async function measureEmpty({ processes: count }: Options, size: Size): Promise<Row> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-idle-'))
  try {
    const serveArgs = count > 1 ? ['--processes', String(count)] : []
    const options = { dataDir, port: await freePort(), env: { LOG_LEVEL: 'warn' } }
    {
      // Creating the database takes memory that a usual start does not.
      await using _ = await startInstance(options)
    }
    await using instance = await startInstance({ ...options, serveArgs })
    return await measureFor('nobody, empty database', processesOf(instance, dataDir), size)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const processesOf = ({ process: child }: Instance, dataDir: string): Processes => ({
  server: child.pid ?? null,
  database: embeddedDatabasePid(dataDir),
})

async function measureFor(name: string, processes: Processes, { settleS, measureS }: Size): Promise<Row> {
  await delay(settleS * SECOND_MS)
  const [before, startedAt] = [usageOf(processes), performance.now()]
  await delay(measureS * SECOND_MS)
  const after = usageOf(processes)
  const seconds = (performance.now() - startedAt) / SECOND_MS
  const share = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (100 * (to - from)) / seconds
  return progress({
    browsers: name,
    'server %': share(before.serverS, after.serverS),
    'database %': share(before.databaseS, after.databaseS),
    'server MiB': rounded(serverMib(processes)),
    'database MiB': rounded(databaseMib(processes)),
  })
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value))

interface Browsers {
  readonly kind: Idlers['kind']
  readonly processes: Processes
  readonly size: Size
}

async function measureBrowsers(contest: Contest, { kind, processes, size }: Browsers): Promise<Row> {
  const { teams, writers } = contest.generated.set
  const tokens = Array.from({ length: Math.min(teams + writers, size.browsers) }, (_, team) =>
    contest.tokenOf(team),
  )
  const child = fork(fileURLToPath(new URL('../idle/browsers.ts', import.meta.url)))
  try {
    const url = contest.instance.url
    const position = await positionOf(url)
    await ask(child, { url, count: size.browsers, kind, tokens, position } satisfies Idlers)
    await delay(size.settleS * SECOND_MS)
    await ask(child, 'count')
    const row = await measureFor(`${size.browsers} ${kind}`, processes, { ...size, settleS: 0 })
    const counts = (await ask(child, 'count')) as IdleCounts
    return {
      ...row,
      'requests per s': counts.responses / size.measureS,
      'unchanged %': counts.responses === 0 ? null : (100 * counts.unchanged) / counts.responses,
      'pieces of streams per s': kind === 'streaming' ? counts.pieces / size.measureS : null,
      failed: counts.failed || null,
      'generator %': (100 * counts.cpuS) / size.measureS,
    }
  } finally {
    child.kill()
  }
}

async function positionOf(url: string): Promise<string> {
  const response = await fetch(url + openStream.path)
  return /^id: (.+)$/m.exec(await response.text())?.[1] ?? ''
}

async function ask(child: ChildProcess, message: Idlers | 'count'): Promise<unknown> {
  const replied = once(child, 'message')
  child.send(message)
  return (await replied)[0]
}
