import { hitRates, readCaches, refuseMatchingCapacity } from '../caches.ts'
import type { RequestSpec } from '../generator/plan.ts'
import { run } from '../generator/run.ts'
import { startSteady, type Steady } from '../generator/steady.ts'
import { startNginx, type Nginx } from '../limits/nginx.ts'
import type { PlainServer } from '../limits/plain.ts'
import { measure, rounded, rowOf, type Result, type What } from '../measure.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import type { Subject } from '../subject.ts'
import { rightFlags } from './write.ts'

interface Read {
  readonly name: string
  readonly path: string
  readonly isSignedIn?: boolean
}

/** The most that it may take. */
const WARM_UP_S = 120
const WARM_UP_FLAGS = 1000
/** Right flags per second whose cost is measured. It differs by a tenth of a core between runs, which is too much for few flags. */
const COSTED_RATE = 500
/** Some bodies are joined from parts in gzip, which a client that only accepts brotli would not get. */
const OF_BROWSERS = 'gzip, deflate, br'
const CLIENT_CONFIG = '/api/v2/integrations/client/config'
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
    { name: 'users/me, signed in', path: '/api/v2/users/me', isSignedIn: true },
    { name: 'own results, signed in', path: '/api/v2/users/me/results', isSignedIn: true },
    ...both('challs V1', '/api/v1/challs'),
    ...both('leaderboard', '/api/v2/leaderboard/now?limit=100&offset=0'),
    { name: `leaderboard from ${FAR}`, path: `/api/v2/leaderboard/now?limit=100&offset=${FAR}` },
    { name: 'leaderboard with graph', path: '/api/v2/leaderboard/with-graph?limit=100&offset=0' },
    { name: 'leaderboard/challs', path: '/api/v2/leaderboard/challs' },
    { name: 'client config', path: CLIENT_CONFIG },
  ]
}

/** Repeats each read for all teams in turn, at rest and while right flags arrive, beside a plain server that sends as many bytes. */
export async function readScenario(subject: Subject, options: Options, plain: PlainServer): Promise<Section> {
  refuseMatchingCapacity(await readCaches(subject.url), subject.tokens.length)
  using nginx = await startNginx()
  await warmUp(subject)
  const flagRates = subject.flagOf ? options.flagRates : []
  const costS = flagRates.length > 0 ? await costOfFlag(subject, options) : 0
  const rows: Row[] = []
  const wanted = readsOf(subject.challengeIds[0] ?? '').filter(({ name }) => name.includes(options.reads))
  for (const read of wanted)
    for (const encoding of options.encodings) {
      const requests = requestsOf(read, subject, encoding)
      const limits = await measureLimits({ plain, nginx }, { url: subject.url, requests }, options)
      for (const rate of [0, ...flagRates]) {
        const { result, hits } = await measurePlayed(subject, { requests, rate, costS }, options)
        rows.push(
          progress({
            ...rowOf(`${read.name}, ${encoding}`, result),
            'flags per s': rate,
            ...limitsOf(limits, result.serverCpuUs),
            hits,
          }),
        )
      }
    }
  const notes = [
    ...(costS > 0
      ? [
          `Server µs exclude ${(costS * 1e3).toFixed(2)} ms per right flag, as measured at ${COSTED_RATE} per second beside a read that no flag changes.`,
        ]
      : []),
    'Hits: percent of the lookups of each cache that the read uses.',
  ]
  return { title: `Reads, ${subject.title}`, rows, notes }
}

/** Opens the tokens of all teams, and compiles the code of right flags, which a measurement of a few seconds would not. */
async function warmUp({ url, tokens, takePairs, flagOf }: Subject): Promise<void> {
  const requests = tokens.map((token) => ({
    path: '/api/v1/challs',
    headers: { authorization: `Bearer ${token}` },
  }))
  const once = { url, isOnce: true, connections: 32, seconds: WARM_UP_S }
  await run({ ...once, requests })
  if (flagOf) await run({ ...once, requests: rightFlags(takePairs(WARM_UP_FLAGS), flagOf) })
}

function startFlags({ url, takePairs, flagOf }: Subject, rate: number): Steady | null {
  if (rate === 0 || !flagOf) return null
  return startSteady(url, rate, () => rightFlags(takePairs(1), flagOf)[0])
}

async function stopFlags(flags: Steady | null): Promise<void> {
  const { sent, failed } = (await flags?.stop()) ?? { sent: 0, failed: 0 }
  if (failed > 0) throw new Error(`${failed} of ${sent} right flags failed, or there were no more.`)
}

/**
 * Seconds of the server's processor time per right flag, beside a read that no flag changes. Alone, a flag would cost more, because
 * an idle server commits and applies each of them separately.
 */
async function costOfFlag(subject: Subject, options: Options): Promise<number> {
  const requests = [{ path: CLIENT_CONFIG }]
  const twice = { ...options, seconds: options.seconds * 2 }
  const measured = async (rate: number) =>
    (await measurePlayed(subject, { requests, rate, costS: 0 }, twice)).result
  const [atRest, played] = [await measured(0), await measured(COSTED_RATE)]
  const us = (played.serverCpuUs ?? NaN) - (atRest.serverCpuUs ?? NaN)
  return Math.max(0, (us * played.perSecond) / COSTED_RATE / 1e6)
}

interface Playing {
  readonly requests: readonly RequestSpec[]
  readonly rate: number
  /** Of each flag. */
  readonly costS: number
}

interface Played {
  readonly result: Result
  readonly hits: string
}

async function measurePlayed(
  subject: Subject,
  { requests, rate, costS }: Playing,
  options: Options,
): Promise<Played> {
  const { url, processes } = subject
  const before = await readCaches(url)
  const flags = startFlags(subject, rate)
  const result = await measure({ url, requests }, options, processes)
  await stopFlags(flags)
  const ofFlagsUs = (rate * costS * result.seconds * 1e6) / result.count
  const serverCpuUs = result.serverCpuUs === null ? null : withoutFlags(result.serverCpuUs, ofFlagsUs)
  return { result: { ...result, serverCpuUs }, hits: hitRates(before, await readCaches(url), result.count) }
}

/** NaN if most is that of the flags: what they cost is not known well enough. */
const withoutFlags = (us: number, ofFlagsUs: number) => (ofFlagsUs > us / 2 ? NaN : us - ofFlagsUs)

interface Limits {
  readonly plain: PlainServer
  readonly nginx: Nginx | null
}

/** The same requests, apart from their path, at servers that send as many bytes: reading their headers is part of the limit. */
async function measureLimits({ plain, nginx }: Limits, { url, requests }: What, options: Options) {
  // The body of a team in the middle has the usual length.
  const usual = requests[Math.floor(requests.length / 2)] ?? { path: '/' }
  const { path, bodyBytes } = await plain.copy(url, usual)
  const at = (server: { url: string; pid: number | null }, samePath: string) => {
    const same = requests.map((request) => ({ ...request, path: samePath }))
    return measure({ url: server.url, requests: same }, options, { server: server.pid, database: null })
  }
  return {
    bodyBytes,
    byPlain: await at(plain, path),
    byNginx: nginx && (await at(nginx, nginx.add(bodyBytes))),
  }
}

function limitsOf(
  { bodyBytes, byPlain, byNginx }: Awaited<ReturnType<typeof measureLimits>>,
  us: number | null,
): Row {
  return {
    bytes: bodyBytes,
    'plain µs': rounded(byPlain.serverCpuUs),
    ratio: us === null || byPlain.serverCpuUs === null ? null : byPlain.serverCpuUs / us,
    'plain p99 ms': byPlain.p99Ms,
    ...(byNginx && { 'nginx µs': rounded(byNginx.serverCpuUs), 'nginx p99 ms': byNginx.p99Ms }),
  }
}

function requestsOf(read: Read, { tokens }: Subject, encoding: string): RequestSpec[] {
  const headers = { 'accept-encoding': encoding === 'br' ? OF_BROWSERS : encoding }
  if (!read.isSignedIn) return [{ path: read.path, headers }]
  return tokens.map((token) => ({
    path: read.path,
    headers: { ...headers, authorization: `Bearer ${token}` },
  }))
}
