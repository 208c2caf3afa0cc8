import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { requestBytes, type RequestSpec } from '../generator/plan.ts'
import { quantileOf } from '../report.ts'
import { openConnection } from './connection.ts'

// Browsers that arrive at a rate, whether or not the server keeps up. Each has a connection on which its requests follow each other.

/** How long browsers may take to finish after the last one has arrived. */
const DRAIN_MS = 15 * SECOND_MS
/** Arrivals are started in groups this often. */
const TICK_MS = 2
/** Addresses of this machine that connections start from. */
const LOCAL_ADDRESSES = 8

export interface RushPlan {
  /** Where the server is, without a path. */
  readonly url: string
  readonly encoding: string
  readonly browsers: number
  readonly arrivalsPerS: number
  /** Browsers belong to them in turn. */
  readonly teams: readonly RushTeam[]
  /** Requests of each step, one after the other, with `pauseMs` before each step but the first. */
  readonly steps: readonly (readonly RushRequest[])[]
  readonly pauseMs: number
}

export interface RushTeam {
  readonly token: string
  readonly loginToken: string
  /** Of `X-Forwarded-For`: limits count by address. */
  readonly address: string
}

export interface RushRequest {
  /** A sign-in is the only request with a body. */
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly isAsTeam: boolean
}

export interface RushResult {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Responses without a status of success, by status, and broken connections. */
  readonly failures: Readonly<Record<string, number>>
  /** Browsers that had not finished at the end. */
  readonly unfinished: number
  readonly seconds: number
  /** Processor time of the generator. */
  readonly generatorS: number
}

/** The request as a browser of the team sends it. */
export function specOf(
  { method, path, isAsTeam }: RushRequest,
  encoding: string,
  team: RushTeam,
): RequestSpec {
  const headers = {
    'accept-encoding': encoding,
    'x-forwarded-for': team.address,
    ...(isAsTeam && { authorization: `Bearer ${team.token}` }),
  }
  if (method === 'GET') return { path, headers }
  return { method, path, headers, body: JSON.stringify({ teamToken: team.loginToken }) }
}

/** Sends the requests from this process. */
export async function runRush(plan: RushPlan): Promise<RushResult> {
  const latencies: number[] = []
  const failures: Record<string, number> = {}
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  let started = 0
  let finished = 0

  async function browse(number: number, arrivesAt: number): Promise<void> {
    const team = plan.teams[number % plan.teams.length]
    if (!team) return
    const url = new URL(plan.url)
    const connection = openConnection(url, `127.0.0.${2 + (number % LOCAL_ADDRESSES)}`)
    for (const [index, step] of plan.steps.entries()) {
      // People go on some time after the last page was there.
      let from = index === 0 ? arrivesAt : Math.max(arrivesAt + index * plan.pauseMs, performance.now())
      await delay(Math.max(0, from - performance.now()))
      for (const request of step) {
        const status = await connection.send(requestBytes(specOf(request, plan.encoding, team), url.host))
        const now = performance.now()
        if (status?.startsWith('2')) latencies.push(now - from)
        else failures[status ?? 'broken'] = (failures[status ?? 'broken'] ?? 0) + 1
        from = now
      }
    }
    connection.close()
    finished += 1
  }

  const visits: Promise<void>[] = []
  while (started < plan.browsers) {
    const dueAt = () => startedAt + (started * SECOND_MS) / plan.arrivalsPerS
    for (; started < plan.browsers && dueAt() <= performance.now(); started += 1)
      visits.push(browse(started, dueAt()))
    await delay(TICK_MS)
  }
  await Promise.race([Promise.all(visits), delay(DRAIN_MS)])
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    count: latencies.length,
    p50Ms: quantileOf(latencies, 0.5),
    p99Ms: quantileOf(latencies, 0.99),
    maxMs: quantileOf(latencies, 1),
    failures,
    unfinished: plan.browsers - finished,
    seconds: (performance.now() - startedAt) / SECOND_MS,
    generatorS: (user + system) / 1e6,
  }
}

/** Sends the requests from another process. */
export async function runRushApart(plan: RushPlan): Promise<RushResult> {
  const child = fork(fileURLToPath(import.meta.url), ['rush'])
  try {
    child.send(plan)
    const ended = once(child, 'exit').then(([status]) => [new Error(`the generator ended with ${status}`)])
    const [result] = (await Promise.race([once(child, 'message'), ended])) as [RushResult | Error]
    if (result instanceof Error) throw result
    return result
  } finally {
    child.kill()
  }
}

if (process.send && process.argv[2] === 'rush')
  process.on('message', (plan: RushPlan) => void runRush(plan).then((result) => process.send?.(result)))
