import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readOverview } from '@pennant/contract/overview.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest } from '../harness.ts'

// Class S12 (README.md): the client address behind proxies. A client must not evade its per-address bucket
// with forged headers, and clients behind one proxy must not share a bucket. The leaderboard search allows
// three requests per address at once; the test clock does not move, so no token is refilled.

type Headers = Readonly<Record<string, string>>

const search = async ({ call }: Contest, headers: Headers) =>
  (await call(getLeaderboardV2, { query: { limit: '1', offset: '0', search: 'team' }, headers })).kind

/** The response kinds of searches, sent one after the other. */
async function searches(contest: Contest, all: readonly Headers[]): Promise<string[]> {
  const kinds: string[] = []
  for (const headers of all) kinds.push(await search(contest, headers))
  return kinds
}

const forwarded = (...lists: readonly string[]) => lists.map((list) => ({ 'x-forwarded-for': list }))
const good = 'goodLeaderboard'
const limited = 'badRateLimit'
const spoofs = [
  '1.1.1.1',
  '2.2.2.2',
  '::1',
  '127.0.0.1',
  'unknown',
  '',
  ',,,',
  'x'.repeat(500),
  '1.1.1.1, 2.2.2.2, 3.3.3.3',
]

const start = (proxy: object) => startContest({ config: { proxy } })

describe.each([0, false, [], ['10.0.0.0/8']])('with trust %j', (trust) => {
  test('forged addresses have no effect', async () => {
    await using contest = await start({ trust })
    const kinds = await searches(contest, forwarded(...spoofs))
    expect(kinds).toEqual([good, good, good, ...spoofs.slice(3).map(() => limited)])
  })
})

describe.each([
  { name: 'one trusted hop', trust: 1, behind: '' },
  { name: 'two trusted hops', trust: 2, behind: ', 10.0.0.9' },
  { name: 'a list of trusted addresses', trust: ['loopback', '10.0.0.0/8'], behind: ', 10.0.0.9, 10.1.2.3' },
  { name: 'trusted addresses as text', trust: 'loopback, 10.0.0.0/8', behind: '' },
])('with $name', ({ trust, behind }) => {
  test('the client address is the one that the outermost proxy saw, whatever precedes it', async () => {
    await using contest = await start({ trust })
    const claims = spoofs.map((spoof) => `${spoof}, 203.0.113.7${behind}`)
    const kinds = await searches(contest, forwarded(...claims))
    expect(kinds).toEqual([good, good, good, ...claims.slice(3).map(() => limited)])
  })

  test('clients of one proxy do not share a bucket', async () => {
    await using contest = await start({ trust })
    const callers = Array.from({ length: 8 }, (_, number) => `203.0.113.${number}${behind}`)
    const kinds = await searches(contest, forwarded(...callers, ...callers, ...callers, ...callers))
    expect(kinds).toEqual([...Array.from({ length: 24 }, () => good), ...callers.map(() => limited)])
  })
})

describe('with the default', () => {
  test('clients behind a local proxy that appends cannot choose their address', async () => {
    await using contest = await start({})
    const claims = spoofs.map((spoof) => `${spoof}, 203.0.113.7`)
    const kinds = await searches(contest, forwarded(...claims))
    expect(kinds).toEqual([good, good, good, ...claims.slice(3).map(() => limited)])
  })

  test('clients of a local proxy do not share a bucket', async () => {
    await using contest = await start({})
    const callers = Array.from({ length: 8 }, (_, number) => `203.0.113.${number}`)
    expect(await searches(contest, forwarded(...callers))).toEqual(callers.map(() => good))
  })
})

test('an IPv4 address and its mapped IPv6 form are the same', async () => {
  await using contest = await start({ trust: 1 })
  const claims = forwarded('203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '203.0.113.7')
  expect(await searches(contest, claims)).toEqual([good, good, good, limited])
})

test('addresses in one IPv6 /64 share a bucket, and different networks do not', async () => {
  await using contest = await start({ trust: 1 })
  const line = (n: number) => Array.from({ length: 4 }, (_, at) => `2001:db8:0:${n}::${at + 1}`)
  const four = [good, good, good, limited]
  expect(await searches(contest, forwarded(...line(1), ...line(2)))).toEqual([...four, ...four])
})

describe('behind a CDN that sends the client address', () => {
  const edge = '104.16.0.9'
  const named = (address: string, list = '') => ({ 'cf-connecting-ip': address, 'x-forwarded-for': list })

  test("its header is used in requests from the CDN's addresses, whatever precedes them", async () => {
    await using contest = await start({ cloudflare: true })
    const kinds = await searches(
      contest,
      spoofs.map((spoof) => named('203.0.113.7', `${spoof}, ${edge}`)),
    )
    expect(kinds).toEqual([good, good, good, ...spoofs.slice(3).map(() => limited)])
    expect(await search(contest, named('203.0.113.8', edge))).toBe(good)
  })

  test.each([{ trust: ['loopback'] }, { trust: [] }])(
    'a client that bypasses the CDN cannot use it: %j',
    async ({ trust }) => {
      await using contest = await start({ cloudflare: true, trust })
      const claims = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((address) =>
        named(address, '203.0.113.7'),
      )
      expect(await searches(contest, claims)).toEqual([good, good, good, limited])
    },
  )

  test('the header is ignored otherwise', async () => {
    await using contest = await start({ trust: 0 })
    const claims = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((address) => named(address))
    expect(await searches(contest, claims)).toEqual([good, good, good, limited])
  })
})

test('the audit has the same address as the rate limit, and never an invalid one', async () => {
  await using contest = await start({ trust: 1 })
  await putChallenge(contest.db, challengeRow('audited'))
  const { token } = await contest.team()
  const claims = ['1.1.1.1, 203.0.113.7', 'x'.repeat(500), '<script>alert(1)</script>', '::ffff:203.0.113.8']
  for (const list of claims) {
    const [headers] = forwarded(list)
    const request = { token, params: { id: 'audited' }, body: { flag: 'wrong' } }
    expect((await contest.call(submitFlag, { ...request, ...(headers && { headers }) })).kind).toBe('badFlag')
  }
  const rows = await contest.db.query<{ ip: string }>(sql`select ip from submissions order by id`)
  expect(rows.map(({ ip }) => ip)).toEqual(['203.0.113.7', '127.0.0.1', '127.0.0.1', '203.0.113.8'])
})

describe('a proxy that is not trusted', () => {
  const warningsOf = async ({ call, admin }: Contest) => {
    const response = await call(readOverview, { token: (await admin()).token })
    const warnings = response.kind === 'goodAdminOverview' ? response.data.warnings : []
    // The test clock differs from the database's.
    return warnings.filter(({ code }) => code !== 'clockDifference')
  }

  test('is reported once on the dashboard and in the log', async () => {
    await using contest = await start({ trust: [] })
    await searches(contest, forwarded('203.0.113.7', '203.0.113.8'))
    expect(await warningsOf(contest)).toMatchObject([
      { code: 'proxyNotTrusted', text: expect.stringContaining(': 127.0.0.1.') },
    ])
    const logged = contest.logLines.filter(({ message }) => message.includes('ignored forwarding headers'))
    expect(logged).toHaveLength(1)
  })

  test('is not reported without its headers, or if it is trusted', async () => {
    await using direct = await start({ trust: [] })
    await searches(direct, [{}])
    expect(await warningsOf(direct)).toEqual([])
    await using trusted = await start({})
    await searches(trusted, forwarded('203.0.113.7'))
    expect(await warningsOf(trusted)).toEqual([])
  })
})

test.each([
  { trust: true, warns: true },
  { trust: 2, warns: true },
  { trust: 0, warns: false },
  { trust: false, warns: false },
  { trust: 'loopback', warns: false },
])(
  'the start warns about settings that may let clients choose their address: %j',
  async ({ trust, warns }) => {
    await using contest = await start({ trust })
    expect(contest.logLines.some(({ message }) => message.startsWith('proxy.trust is'))).toBe(warns)
  },
)
