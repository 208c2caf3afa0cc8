import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALLOCATION_BUDGETS } from '../allocation-budgets.ts'
import { startCounting, type Counting } from '../allocations.ts'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest, type Member } from '../harness.ts'

// What a request allocates hardly depends on the machine, unlike its time, so it is the measure that a check can judge by.
// PENNANT_SHOW_ALLOCATIONS=1 prints the figures.

/** Enough for the compiler to optimise what a request runs. */
const WARM_UP = 3000
const ROUNDS = 5
const ROUND = 400
const TEAMS = 40
const CHALLENGES = 20

type Name = keyof typeof ALLOCATION_BUDGETS

let contest: Contest
let counting: Counting
const teams: Member[] = []
const challengeIds = Array.from({ length: CHALLENGES }, (_, n) => `c${n}`)

beforeAll(async () => {
  contest = await startContest()
  for (const id of challengeIds) {
    const flags = [{ provider: 'flags/static', config: { flag: 'flag{right}' } }]
    await putChallenge(contest.db, challengeRow(id, { flags, description: 'x'.repeat(500) }))
  }
  for (let n = 0; n < TEAMS; n += 1) teams.push(await contest.team())
  await contest.app.stores.follower.catchUp()
  counting = await startCounting(contest.url)
})
afterAll(async () => {
  await counting[Symbol.asyncDispose]()
  await contest[Symbol.asyncDispose]()
})

const HOST = 'host: 127.0.0.1'
const IDENTITY = 'accept-encoding: identity'
const BROWSER = [
  'connection: keep-alive',
  'sec-ch-ua: "Chromium";v="150", "Not.A/Brand";v="24"',
  'sec-ch-ua-mobile: ?0',
  'sec-ch-ua-platform: "Linux"',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
  'accept: */*',
  'sec-fetch-site: same-origin',
  'sec-fetch-mode: cors',
  'sec-fetch-dest: empty',
  'referer: http://127.0.0.1/challenges',
  'accept-encoding: gzip, deflate, br, zstd',
  'accept-language: en-GB,en;q=0.9',
]

const get = (path: string, headers: readonly string[] = [IDENTITY]) =>
  `GET ${path} HTTP/1.1\r\n${[HOST, ...headers].join('\r\n')}\r\n\r\n`
const signedIn = (path: string, more: readonly string[] = []) =>
  teams.slice(0, 10).map(({ token }) => get(path, [`authorization: Bearer ${token}`, IDENTITY, ...more]))
const shared = (path: string, headers?: readonly string[]) => [get(path, headers)]

const PAGE = 'limit=100&offset=0'
const READS: Readonly<Partial<Record<Name, () => readonly string[]>>> = {
  'challs V2, signed in': () => signedIn('/api/v2/challs'),
  'challs V2, anonymous': () => shared('/api/v2/challs'),
  'challs V2, not modified': () => signedIn('/api/v2/challs', ['if-none-match: *']),
  'challs V1, signed in': () => signedIn('/api/v1/challs'),
  'leaderboard, signed in': () => signedIn(`/api/v2/leaderboard/now?${PAGE}`),
  'leaderboard from 9000': () => shared('/api/v2/leaderboard/now?limit=100&offset=9000'),
  'leaderboard with graph': () => shared(`/api/v2/leaderboard/with-graph?${PAGE}`),
  'leaderboard/challs': () => shared('/api/v2/leaderboard/challs'),
  'solves of a challenge': () => shared(`/api/v2/challs/c0/solves?${PAGE}`),
  'users/me': () => signedIn('/api/v2/users/me'),
  'own results': () => signedIn('/api/v2/users/me/results'),
  'client config': () => shared('/api/v2/integrations/client/config'),
  'client config, all headers of a browser': () => shared('/api/v2/integrations/client/config', BROWSER),
}

const repeated = (requests: readonly string[], count: number) =>
  Array.from({ length: count }, (_, n) => requests[n % requests.length] ?? '')

test.each(Object.entries(READS) as [Name, () => readonly string[]][])('%s', async (name, requests) => {
  await counting.bytesPerRequest(repeated(requests(), WARM_UP))
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { bytes, statuses } = await counting.bytesPerRequest(repeated(requests(), ROUND))
    expect(statuses).toEqual({ [name.endsWith('not modified') ? 304 : 200]: ROUND })
    found.push(bytes)
  }
  judge(name, found)
})

function judge(name: Name, found: readonly number[]): void {
  // A collection may be counted in two parts.
  const median = found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0
  if (process.env['PENNANT_SHOW_ALLOCATIONS'])
    console.log(`${name}: ${Math.round(median)} (${found.map(Math.round).join(' ')})`)
  expect(median).toBeGreaterThan(0)
  expect(median, `bytes for ${name}: docs/performance.md#allocations`).toBeLessThan(ALLOCATION_BUDGETS[name])
}

test.each(['wrong flag', 'right flag'] as const)('%s', async (name) => {
  const flag = name === 'right flag' ? 'flag{right}' : 'flag{wrong}'
  const body = JSON.stringify({ flag })
  const pairs = teams.flatMap(({ token }) =>
    challengeIds.map((id) =>
      [
        `POST /api/v1/challs/${id}/submit HTTP/1.1`,
        HOST,
        `authorization: Bearer ${token}`,
        'content-type: application/json',
        `content-length: ${body.length}\r\n\r\n${body}`,
      ].join('\r\n'),
    ),
  )
  const found: number[] = []
  for (let from = 0; from < pairs.length; from += pairs.length / 4) {
    const { bytes, statuses } = await counting.bytesPerRequest(pairs.slice(from, from + pairs.length / 4))
    expect(statuses).toEqual({ [name === 'right flag' ? 200 : 400]: pairs.length / 4 })
    found.push(bytes)
  }
  judge(name, found.slice(1))
})
