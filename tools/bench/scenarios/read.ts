import type { RequestSpec } from '../generator/plan.ts'
import type { PlainServer } from '../limits/plain.ts'
import { measure, rowOf } from '../measure.ts'
import type { Options } from '../options.ts'
import type { Row, Section } from '../report.ts'
import type { Subject } from '../subject.ts'

interface Read {
  readonly name: string
  readonly path: string
  readonly isSignedIn?: boolean
}

/** Offset of a page far down, where there is one. */
const FAR = 9000

const readsOf = (challengeId: string): readonly Read[] => [
  { name: 'challs V2, signed in', path: '/api/v2/challs', isSignedIn: true },
  { name: 'challs V2, anonymous', path: '/api/v2/challs' },
  { name: 'challs V1, signed in', path: '/api/v1/challs', isSignedIn: true },
  { name: 'leaderboard, signed in', path: '/api/v2/leaderboard/now?limit=100&offset=0', isSignedIn: true },
  { name: 'leaderboard, anonymous', path: '/api/v2/leaderboard/now?limit=100&offset=0' },
  { name: `leaderboard from ${FAR}`, path: `/api/v2/leaderboard/now?limit=100&offset=${FAR}` },
  { name: 'leaderboard with graph', path: '/api/v2/leaderboard/with-graph?limit=100&offset=0' },
  { name: 'leaderboard/challs', path: '/api/v2/leaderboard/challs' },
  { name: 'solves of a challenge', path: `/api/v2/challs/${challengeId}/solves?limit=100&offset=0` },
  { name: 'users/me', path: '/api/v2/users/me', isSignedIn: true },
  { name: 'client config', path: '/api/v2/integrations/client/config' },
]

/** Repeats each of the reads of a contest, beside a plain server that sends the same bytes. */
export async function readScenario(subject: Subject, options: Options, plain: PlainServer): Promise<Section> {
  const rows: Row[] = []
  for (const read of readsOf(subject.challengeIds[0] ?? '')) {
    const requests = requestsOf(read, subject, options.encoding)
    const [first] = requests
    if (!first) continue
    const { path, bodyBytes } = await plain.copy(subject.url, first)
    const ours = await measure({ url: subject.url, requests }, options, subject.processes)
    // The same requests apart from their path: reading their headers is part of the limit.
    const same = requests.map((request) => ({ ...request, path }))
    const limit = await measure({ url: plain.url, requests: same }, options, {
      server: plain.pid,
      database: null,
    })
    rows.push({
      ...rowOf(read.name, ours),
      bytes: bodyBytes,
      'plain per s': Math.round(limit.perSecond),
      'plain p99 ms': limit.p99Ms,
      ratio: ours.perSecond / limit.perSecond,
      'plain µs': limit.serverCpuUs === null ? null : Math.round(limit.serverCpuUs),
      'ratio of µs': ratioOf(limit.serverCpuUs, ours.serverCpuUs),
    })
  }
  return { title: `Reads, ${subject.title}`, rows }
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
