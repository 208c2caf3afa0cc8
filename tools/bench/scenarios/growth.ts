import { setTimeout as delay } from 'node:timers/promises'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openContest, type Contest, type Pair } from '../../lib/large-contest.ts'
import { flagOf } from '../../seed/large/load.ts'
import { DATA_SETS } from '../../seed/large/sets.ts'
import { failuresOf } from '../generator/plan.ts'
import { commitLimits } from '../limits/commits.ts'
import { measure, rounded } from '../measure.ts'
import type { Options } from '../options.ts'
import { progress, quantileOf, type Row, type Section } from '../report.ts'
import { embeddedDatabasePid, residentMib, type Processes } from '../usage.ts'
import { rightFlags } from './write.ts'

// What grows with the number of teams: docs/performance.md.

/** Flags submitted one after the other. */
const SINGLE_FLAGS = 40
const WARM_UP_FLAGS = 2_000
const FLAG_CONNECTIONS = 128
/** More than a server accepts in a second. */
const MAX_PER_S = 6_000
const BOARD = '/api/v2/leaderboard/now?limit=100&offset=0'
/** Time for the worker to record the ranks of the flags before. */
const PAUSE_MS = 2 * SECOND_MS

/** A row for each number of teams, each with 200 challenges and 40 solves per team. */
export async function growthScenario(options: Options): Promise<Section[]> {
  const rows: Row[] = []
  for (const teams of options.teams) rows.push(progress(await measureSize(teams, options)))
  const notes = [
    `apply ms: to apply one solve to the standings; of a challenge that half of the teams have solved. page ms: the first leaderboard page after it. Flags: ${FLAG_CONNECTIONS} connections.`,
  ]
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
  const popular = popularPairs(contest)
  await throughput(contest, WARM_UP_FLAGS, { options, processes })
  const ordinary = await oneByOne(contest, contest.takePairs(SINGLE_FLAGS))
  const often = await oneByOne(contest, popular)
  const limits = await commitLimits(contest.databaseUrl, options.seconds)
  await delay(PAUSE_MS)
  const flags = await throughput(contest, Math.ceil(options.seconds * MAX_PER_S), { options, processes })
  return {
    teams,
    'ready s': contest.readyS,
    'idle MiB': rounded(idleMib),
    'peak MiB': rounded(residentMib(processes.server, 'VmHWM')),
    'apply ms': ordinary.applyMs,
    'apply ms, many solvers': often.applyMs,
    'visible p50 ms': ordinary.visibleMs,
    'page ms': ordinary.pageMs,
    'right flags per s': rounded(flags.perSecond),
    'p99 ms': flags.p99Ms,
    'server µs': rounded(flags.serverCpuUs),
    'database µs': rounded(flags.databaseCpuUs),
    ...(limits && { 'commits per s': rounded(limits.right), ratio: flags.perSecond / limits.right }),
    failed: failuresOf(flags, /^2/) || null,
  }
}

/** Teams that have not solved the challenge that half of the teams have. */
function popularPairs({ generated, tokenOf }: Contest): Pair[] {
  const { set, solverCounts, challengeIds, hasSolved } = generated
  const challenge = solverCounts.findIndex((count) => count <= set.teams / 2)
  const pairs: Pair[] = []
  for (let team = 0; team < set.teams && pairs.length < SINGLE_FLAGS; team += 1) {
    if (!hasSolved(team, challenge))
      pairs.push({ token: tokenOf(team), challengeId: challengeIds[challenge] ?? '' })
  }
  return pairs
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

/** Flags one after the other, and after each the list of solves until it has the new one, and the first page. */
async function oneByOne({ instance: { url } }: Contest, pairs: readonly Pair[]) {
  const visible: number[] = []
  const pages: number[] = []
  const before = await foldsOf(url)
  for (const { token, challengeId } of pairs) {
    const count = await solveCount(url, challengeId)
    const submitted = await fetch(url + submitFlag.path.replace(':id', challengeId), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ flag: flagOf(challengeId) }),
    })
    if (submitted.status !== 200) throw new Error(`a right flag got ${submitted.status}`)
    await submitted.arrayBuffer()
    const answered = performance.now()
    while ((await solveCount(url, challengeId)) === count)
      if (performance.now() - answered > PAUSE_MS) throw new Error('a solve did not become visible')
    visible.push(performance.now() - answered)
    const asked = performance.now()
    await (await fetch(url + BOARD)).arrayBuffer()
    pages.push(performance.now() - asked)
  }
  const after = await foldsOf(url)
  const applyMs = ((after - before) / pairs.length) * SECOND_MS
  return { applyMs, visibleMs: quantileOf(visible, 0.5), pageMs: quantileOf(pages, 0.5) }
}

/** Of a challenge, as all see it. */
async function solveCount(url: string, challengeId: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/challs`)
  const { data } = (await response.json()) as { data: readonly { id: string; solves: number }[] }
  return data.find(({ id }) => id === challengeId)?.solves ?? NaN
}

/** Seconds that the server has spent on applying changes. */
async function foldsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^pennant_board_fold_seconds_sum (.*)$/m.exec(text)?.[1])
}
