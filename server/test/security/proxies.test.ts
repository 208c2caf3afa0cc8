import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest } from '../harness.ts'

// Field survey, S12: who a caller is behind proxies. A bucket per address must neither be evaded by what a caller
// claims, nor shared by all whom one proxy serves. The search of the leaderboard takes three at once for an address;
// the clock stands still, so that no token comes back.

type Headers = Readonly<Record<string, string>>

const search = async ({ call }: Contest, headers: Headers) =>
  (await call(getLeaderboardV2, { query: { limit: '1', offset: '0', search: 'team' }, headers })).kind

/** Kinds of searches, one after the other. */
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
  test('what a caller claims counts for nothing', async () => {
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
  test('the caller is whom the outermost proxy saw, whatever stands before it', async () => {
    await using contest = await start({ trust })
    const claims = spoofs.map((spoof) => `${spoof}, 203.0.113.7${behind}`)
    const kinds = await searches(contest, forwarded(...claims))
    expect(kinds).toEqual([good, good, good, ...claims.slice(3).map(() => limited)])
  })

  test('callers of one proxy do not share a bucket', async () => {
    await using contest = await start({ trust })
    const callers = Array.from({ length: 8 }, (_, number) => `203.0.113.${number}${behind}`)
    const kinds = await searches(contest, forwarded(...callers, ...callers, ...callers, ...callers))
    expect(kinds).toEqual([...Array.from({ length: 24 }, () => good), ...callers.map(() => limited)])
  })
})

describe('behind one private proxy, with the default of two hops', () => {
  test('a proxy that appends lets callers choose their address, so that the number must be set', async () => {
    await using contest = await start({})
    const claims = Array.from({ length: 8 }, (_, number) => `198.51.100.${number}, 203.0.113.7`)
    expect(await searches(contest, forwarded(...claims))).toEqual(claims.map(() => good))
  })

  test('a proxy that sets the caller itself, as docs/operate/site.md has it, is enough', async () => {
    await using contest = await start({})
    const callers = Array.from({ length: 5 }, () => '203.0.113.7')
    expect(await searches(contest, forwarded(...callers))).toEqual([good, good, good, limited, limited])
  })
})

test('an address is the same as text of IPv4 and as mapped IPv6', async () => {
  await using contest = await start({ trust: 1 })
  const claims = forwarded('203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '203.0.113.7')
  expect(await searches(contest, claims)).toEqual([good, good, good, limited])
})

test('addresses of one IPv6 line share a bucket, and lines do not', async () => {
  await using contest = await start({ trust: 1 })
  const line = (n: number) => Array.from({ length: 4 }, (_, at) => `2001:db8:0:${n}::${at + 1}`)
  const four = [good, good, good, limited]
  expect(await searches(contest, forwarded(...line(1), ...line(2)))).toEqual([...four, ...four])
})

describe('behind a CDN that names the caller', () => {
  const named = (address: string, list = '') => ({ 'cf-connecting-ip': address, 'x-forwarded-for': list })

  test('its header counts, and no list', async () => {
    await using contest = await start({ cloudflare: true })
    const kinds = await searches(
      contest,
      spoofs.map((spoof) => named('203.0.113.7', spoof)),
    )
    expect(kinds).toEqual([good, good, good, ...spoofs.slice(3).map(() => limited)])
    expect(await search(contest, named('203.0.113.8'))).toBe(good)
  })

  test('the header counts nowhere else', async () => {
    await using contest = await start({ trust: 0 })
    const claims = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((address) => named(address))
    expect(await searches(contest, claims)).toEqual([good, good, good, limited])
  })
})

test('the audit has the address that the buckets have, and no more of a claim than fits', async () => {
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
  expect(rows.map(({ ip }) => ip)).toEqual([
    '203.0.113.7',
    'x'.repeat(64),
    '<script>alert(1)</script>',
    '203.0.113.8',
  ])
})
