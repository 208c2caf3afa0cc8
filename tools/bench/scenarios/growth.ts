import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openContest, type Contest } from '../../lib/large-contest.ts'
import { flagOf } from '../../seed/large/load.ts'
import { DATA_SETS } from '../../seed/large/sets.ts'
import { failuresOf } from '../generator/plan.ts'
import { startSteady } from '../generator/steady.ts'
import { commitLimits } from '../limits/commits.ts'
import { measure, rounded } from '../measure.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import { embeddedDatabasePid, residentMib, type Processes } from '../usage.ts'
import { rightFlags } from './write.ts'

// What grows with the number of teams: docs/performance.md.

/** Right flags per second that are applied one at a time. */
const SINGLE_PER_S = 20
const WARM_UP_FLAGS = 2_000
const FLAG_CONNECTIONS = 128
/** More than a server accepts in a second. */
const MAX_PER_S = 6_000
/** Time for the worker to record the ranks of the flags before. */
const PAUSE_MS = 2 * SECOND_MS

/** A row for each number of teams, each with 200 challenges and 40 solves per team. */
export async function growthScenario(options: Options): Promise<Section[]> {
  const rows: Row[] = []
  for (const teams of options.teams) rows.push(progress(await measureSize(teams, options)))
  const notes = [`apply ms: to apply one solve to the standings. Flags: ${FLAG_CONNECTIONS} connections.`]
  return [{ title: 'Growth: 200 challenges, 40 solves per team', rows, notes }]
}

async function measureSize(teams: number, options: Options): Promise<Row> {
  const { huge } = DATA_SETS
  const solves = (huge.solves / huge.teams) * teams
  const set = { ...huge, name: `${teams} teams`, teams, solves, wrong: 0 }
  await using contest = await openContest(set)
  const processes = {
    server: contest.instance.process.pid ?? null,
    database: embeddedDatabasePid(contest.dataDir),
  }
  const idleMib = residentMib(processes.server)
  await throughput(contest, WARM_UP_FLAGS, { options, processes })
  const ms = await applyMs(contest)
  const limits = await commitLimits(contest.databaseUrl, options.seconds)
  await delay(PAUSE_MS)
  const flags = await throughput(contest, Math.ceil(options.seconds * MAX_PER_S), { options, processes })
  return {
    teams,
    'ready s': contest.readyS,
    'idle MiB': rounded(idleMib),
    'peak MiB': rounded(residentMib(processes.server, 'VmHWM')),
    'apply ms': ms,
    'right flags per s': rounded(flags.perSecond),
    'p99 ms': flags.p99Ms,
    'server µs': rounded(flags.serverCpuUs),
    'database µs': rounded(flags.databaseCpuUs),
    ...(limits && { 'commits per s': rounded(limits.right), ratio: flags.perSecond / limits.right }),
    failed: failuresOf(flags, /^2/) || null,
  }
}

interface Measuring {
  readonly options: Options
  readonly processes: Processes
}

/** Right flags, each once. */
async function throughput(contest: Contest, count: number, { options, processes }: Measuring) {
  const requests = rightFlags(contest.takePairs(count), flagOf)
  const once = { url: contest.instance.url, requests, isOnce: true }
  return await measure(once, { ...options, connections: FLAG_CONNECTIONS }, processes)
}

/** Milliseconds to apply one solve to the standings, when they come one at a time. */
async function applyMs({ instance: { url }, takePairs }: Contest): Promise<number> {
  const before = await foldsOf(url)
  const flags = startSteady(url, SINGLE_PER_S, () => rightFlags(takePairs(1), flagOf)[0])
  await delay(PAUSE_MS)
  const { sent, failed } = await flags.stop()
  if (failed > 0) throw new Error(`${failed} of ${sent} right flags failed`)
  await delay(PAUSE_MS)
  return (((await foldsOf(url)) - before) / sent) * SECOND_MS
}

/** Seconds that the server has spent on applying changes. */
async function foldsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^pennant_board_fold_seconds_sum (.*)$/m.exec(text)?.[1])
}
