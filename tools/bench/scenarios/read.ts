import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { hitRates, readCaches, refuseMatchingCapacity } from '../caches.ts'
import type { RequestSpec } from '../generator/plan.ts'
import { run } from '../generator/run.ts'
import { startSteady, type Steady } from '../generator/steady.ts'
import type { PlainServer } from '../limits/plain.ts'
import { measure, rowOf, type Result } from '../measure.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import type { Subject } from '../subject.ts'
import { usageOf } from '../usage.ts'
import { rightFlags } from './write.ts'

interface Read {
  readonly name: string
  readonly path: string
  readonly isSignedIn?: boolean
}

/** The most that reading something as each team once may take. */
const READ_ONCE_S = 120
/** Offset of a page far down, where there is one. */
const FAR = 9000

const both = (name: string, path: string): Read[] => [
  { name: `${name}, signed in`, path, isSignedIn: true },
  { name: `${name}, anonymous`, path },
]

function readsOf(challengeId: string): readonly Read[] {
  return [
    ...both('challs V2', '/api/v2/challs'),
    ...both('solves of a challenge', `/api/v2/challs/${challengeId}/solves?limit=100&offset=0`),
    { name: 'users/me', path: '/api/v2/users/me', isSignedIn: true },
    ...both('challs V1', '/api/v1/challs'),
    ...both('leaderboard', '/api/v2/leaderboard/now?limit=100&offset=0'),
    { name: `leaderboard from ${FAR}`, path: `/api/v2/leaderboard/now?limit=100&offset=${FAR}` },
    { name: 'leaderboard with graph', path: '/api/v2/leaderboard/with-graph?limit=100&offset=0' },
    { name: 'leaderboard/challs', path: '/api/v2/leaderboard/challs' },
    { name: 'client config', path: '/api/v2/integrations/client/config' },
  ]
}

/** Repeats each read for all teams in turn, at rest and while right flags arrive, beside a plain server that sends as many bytes. */
export async function readScenario(subject: Subject, options: Options, plain: PlainServer): Promise<Section> {
  refuseMatchingCapacity(await readCaches(subject.url), subject.tokens.length)
  await readOnce(subject)
  const flagRates = subject.flagOf ? options.flagRates : []
  const flagCosts = new Map<number, number>([[0, 0]])
  for (const rate of flagRates) flagCosts.set(rate, await costOfFlags(subject, rate, options.seconds))
  const rows: Row[] = []
  const wanted = readsOf(subject.challengeIds[0] ?? '').filter(({ name }) => name.includes(options.reads))
  for (const read of wanted)
    for (const encoding of options.encodings) {
      const requests = requestsOf(read, subject, encoding)
      const limit = await measurePlain(plain, { url: subject.url, requests }, options)
      for (const [rate, cost] of flagCosts) {
        const played = await measurePlayed(subject, { requests, rate, cost }, options)
        rows.push(
          progress({
            ...rowOfRead(`${read.name}, ${encoding}`, rate, played),
            ...limitOf(limit, played.result),
          }),
        )
      }
    }
  const costs = [...flagCosts].filter(([rate]) => rate > 0)
  const subtracted = costs.map(([rate, cost]) => `${(cost * 1e3).toFixed(0)} ms at ${rate} per s`)
  const notes = [
    ...(costs.length > 0
      ? [`Server µs exclude what the flags alone cost, per second: ${subtracted.join(', ')}.`]
      : []),
    'Hits: percent of the lookups of each cache that the read uses.',
  ]
  return { title: `Reads, ${subject.title}`, rows, notes }
}

/** Opens the tokens of all teams, which a measurement of a few seconds would not. */
async function readOnce({ url, tokens }: Subject): Promise<void> {
  const requests = tokens.map((token) => ({
    path: '/api/v1/challs',
    headers: { authorization: `Bearer ${token}` },
  }))
  await run({ url, requests, isOnce: true, connections: 32, seconds: READ_ONCE_S })
}

function startFlags({ url, takePairs, flagOf }: Subject, rate: number): Steady | null {
  if (rate === 0 || !flagOf) return null
  return startSteady(url, rate, () => rightFlags(takePairs(1), flagOf)[0])
}

async function stopFlags(flags: Steady | null): Promise<void> {
  const { sent, failed } = (await flags?.stop()) ?? { sent: 0, failed: 0 }
  if (failed > 0) throw new Error(`${failed} of ${sent} right flags failed, or there were no more.`)
}

/** Seconds of the server's processor time per second. */
async function costOfFlags(subject: Subject, rate: number, seconds: number): Promise<number> {
  const flags = startFlags(subject, rate)
  // The first ones compile the code.
  await delay(seconds * SECOND_MS)
  const [before, from] = [usageOf(subject.processes), performance.now()]
  await delay(seconds * SECOND_MS)
  const spent = (usageOf(subject.processes).serverS ?? NaN) - (before.serverS ?? NaN)
  const elapsed = (performance.now() - from) / SECOND_MS
  await stopFlags(flags)
  return spent / elapsed
}

interface Playing {
  readonly requests: readonly RequestSpec[]
  readonly rate: number
  readonly cost: number
}

interface Played {
  readonly result: Result
  readonly hits: string
}

async function measurePlayed(
  subject: Subject,
  { requests, rate, cost }: Playing,
  options: Options,
): Promise<Played> {
  const { url, processes } = subject
  const before = await readCaches(url)
  const flags = startFlags(subject, rate)
  const result = await measure({ url, requests }, options, processes)
  await stopFlags(flags)
  const ofFlagsUs = (cost * result.seconds * 1e6) / result.count
  const serverCpuUs = result.serverCpuUs === null ? null : result.serverCpuUs - ofFlagsUs
  return { result: { ...result, serverCpuUs }, hits: hitRates(before, await readCaches(url), result.count) }
}

async function measurePlain(
  plain: PlainServer,
  { url, requests }: { url: string; requests: readonly RequestSpec[] },
  options: Options,
) {
  // The body of a team in the middle has the usual length.
  const usual = requests[Math.floor(requests.length / 2)] ?? { path: '/' }
  const { path, bodyBytes } = await plain.copy(url, usual)
  // The same requests apart from their path: reading their headers is part of the limit.
  const same = requests.map((request) => ({ ...request, path }))
  const result = await measure({ url: plain.url, requests: same }, options, {
    server: plain.pid,
    database: null,
  })
  return { result, bodyBytes }
}

function rowOfRead(what: string, rate: number, { result, hits }: Played): Row {
  const row = rowOf(what, result)
  return { what, 'flags per s': rate, ...row, 'database µs': null, hits }
}

function limitOf({ result, bodyBytes }: Awaited<ReturnType<typeof measurePlain>>, ours: Result): Row {
  return {
    bytes: bodyBytes,
    'plain per s': Math.round(result.perSecond),
    'plain p99 ms': result.p99Ms,
    'plain µs': result.serverCpuUs === null ? null : Math.round(result.serverCpuUs),
    'ratio of µs': ratioOf(result.serverCpuUs, ours.serverCpuUs),
  }
}

function ratioOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one / other
}

function requestsOf(read: Read, { tokens }: Subject, encoding: string): RequestSpec[] {
  const headers = { 'accept-encoding': encoding }
  if (!read.isSignedIn) return [{ path: read.path, headers }]
  return tokens.map((token) => ({
    path: read.path,
    headers: { ...headers, authorization: `Bearer ${token}` },
  }))
}
