import { allRoutes } from '@pennant/contract/all.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import type { Route } from '@pennant/contract/route.ts'
import { addressWith, paramNames, queryNames } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { oddValues } from '../payloads.ts'
import type { WireRequest } from '../wire.ts'

export const requestChecks: readonly Check[] = [
  {
    name: 'odd-values',
    category: 'S9',
    about: 'Names of prototypes, extreme numbers and control characters cause no server error.',
    advice: 'Report it; the log of the server has the error.',
    run: sendOddValues,
  },
  {
    name: 'bodies',
    category: 'S11',
    about:
      'Deep, large, compressed and finely chunked bodies are refused or read, and the server keeps running.',
    advice: 'Report it as a vulnerability. Limit request bodies at the proxy.',
    run: sendBodies,
  },
  {
    name: 'slow-patterns',
    category: 'S11',
    about: 'A flag pattern that takes exponential time is refused when it is saved, and delays no one.',
    advice: 'Report it as a vulnerability. Avoid regular expressions as flags until it is fixed.',
    async run({ wire, call, admin, player, ids }, report) {
      const saved: string[] = []
      for (const pattern of SLOW_PATTERNS) {
        const data = { flags: [{ provider: 'flags/regex', config: { pattern } }] }
        const { kind } = await call(putChallengeV2, {
          token: admin.team.token,
          params: { id: ids.slow },
          body: { data },
        })
        if (kind !== 'goodChallengeUpdateV2') continue
        saved.push(pattern)
        report.finding(putChallengeV2, 'admin', `the pattern ${pattern} was saved`)
      }
      if (saved.length === 0) return
      const path = submitFlag.path.replace(':id', ids.slow)
      const json = { flag: 'a'.repeat(60) }
      const slow = wire.send({ method: 'POST', path, token: player.team.token, json })
      // Other requests are answered while it runs, or not at all: the request has a timeout.
      const others = await Promise.all(
        Array.from({ length: 8 }, () => wire.send({ path: getClientConfigV2.path })),
      )
      const { kind } = await slow
      const finding = (found: string) => report.finding({ method: 'POST', path }, player, found)
      if (others.some(({ status }) => status !== 200))
        finding('other requests failed while a pattern was matched')
      if (kind !== 'badFlag' && kind !== 'badRateLimit')
        finding(`the response was ${kind} instead of badFlag`)
    },
  },
  {
    name: 'refused-uploads',
    category: 'S11',
    about: 'An upload that is refused before it is read still gets its response.',
    advice: 'Check how the proxy buffers request bodies (docs/operate/site.md); otherwise report it.',
    async run({ wire }, report) {
      for (const size of [10, 100_000, 2_000_000]) {
        for (let tries = 0; tries < 5; tries++) {
          const form = new FormData()
          form.append('files', new Blob([Buffer.alloc(size)]), 'zeros')
          const request: WireRequest = { method: 'POST', path: uploadFilesV2.path, form, impatient: true }
          const outcome = await wire.send(request).catch((error: Error) => error)
          if (!(outcome instanceof Error) && [401, 413, 429].includes(outcome.status)) continue
          const found = outcome instanceof Error ? outcome.message : `the status was ${outcome.status}`
          const { path } = uploadFilesV2
          report.finding({ method: 'POST', path }, 'anonymous', `${size} bytes: ${found}`)
          break
        }
      }
    },
  },
]

/** Catastrophic backtracking of several kinds: each takes longer than the age of the universe. */
const SLOW_PATTERNS = [
  '^(?:ab|abab)+$',
  '^flag\\{(\\w+\\s?)*\\}$',
  '^(?=(\\d+)+$)',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
]

async function sendOddValues(fixture: Fixture, report: Report): Promise<void> {
  const { wire, admin, player } = fixture
  // Writes without an id, such as uploads and settings, take their values from the body.
  const routes = allRoutes.filter((route) => route.method === 'GET' && !isUnlimited(route))
  const cases = routes.flatMap((route) =>
    oddValues.flatMap((value) => [
      ...(paramNames(route).length > 0 ? [addressWith(route, value)] : []),
      ...queryNames(route)
        .filter((name) => name !== 'search' && name !== 'token')
        .map((name) =>
          addressOf(route, {
            params: paramsOf(route, 'x'),
            query: { limit: '1', offset: '0', [name]: value },
          }),
        ),
    ]),
  )
  await Promise.all(
    cases.flatMap((path) =>
      [player, admin].map(async ({ name, team }) => {
        const { status, text } = await wire.send({ path, token: team.token, impatient: true })
        if (status < 500 || (status === 503 && text.includes('errorUnavailable'))) return
        report.finding({ path }, name, `the response was ${status}`)
      }),
    ),
  )
}

/** Instances and jobs call an external engine on each request. */
function isUnlimited({ path }: Route): boolean {
  return path.includes('/instance') || path.includes('/extrank')
}

function paramsOf(route: Route, id: string): Record<string, string> {
  return Object.fromEntries(paramNames(route).map((name) => [name, id]))
}

function deep(depth: number): Buffer {
  return Buffer.from(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`)
}

const json = { 'content-type': 'application/json' }
const MIB = 1024 * 1024

async function sendBodies({ wire }: Fixture, report: Report): Promise<void> {
  const { path } = registerV2
  const post: Omit<WireRequest, 'bytes'> = { method: 'POST', path, impatient: true }
  const bodies: Readonly<Record<string, WireRequest>> = {
    'nested 100,000 deep': { ...post, headers: json, bytes: deep(100_000) },
    'of 8 MiB': { ...post, headers: json, bytes: Buffer.alloc(8 * MIB, ' ') },
    'in chunks of one byte': { ...post, headers: json, bytes: Buffer.alloc(15_000, ' '), inBytes: true },
    'that says it is compressed': {
      ...post,
      headers: { ...json, 'content-encoding': 'gzip' },
      bytes: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'),
    },
    'with a header of 60 KB': { ...post, headers: { ...json, 'x-long': 'x'.repeat(60_000) }, bytes: deep(1) },
  }
  for (const [what, request] of Object.entries(bodies)) {
    const outcome = await wire.send(request).catch((error: NodeJS.ErrnoException) => error)
    // A server may close the connection when it refuses a request by its size or chunk size.
    const isCut =
      outcome instanceof Error &&
      ['ECONNRESET', 'EPIPE'].includes((outcome as NodeJS.ErrnoException).code ?? '')
    const isRefused = !(outcome instanceof Error) && outcome.status >= 400 && outcome.status < 500
    if (isRefused || (isCut && /8 MiB|60 KB|one byte/.test(what))) continue
    const seen = outcome instanceof Error ? outcome.message : `the status ${outcome.status}`
    report.finding({ method: 'POST', path }, 'anonymous', `a body ${what} ended in ${seen}`)
  }
  const { status } = await wire.send({ path: getClientConfigV2.path })
  if (status === 200) return
  report.finding(getClientConfigV2, 'anonymous', `after these bodies the server answered ${status}`)
}
