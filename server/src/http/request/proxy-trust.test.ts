import { describe, expect, test } from 'vitest'
import { createProxyTrust, type ProxyRules } from './proxy-trust.ts'

const CLOUDFLARE = '104.16.0.9'

function senderOf(rules: Partial<ProxyRules>, peer: string, headers: Record<string, string> = {}) {
  const { senderOf: read } = createProxyTrust({ cloudflare: false, trust: ['loopback'], ...rules })
  return read({ headers, socket: { remoteAddress: peer } as never })
}

const from = (list: string) => ({ 'x-forwarded-for': list })

describe('the client is the first untrusted address, going back from the socket', () => {
  test.each<[ProxyRules['trust'], string, string, string]>([
    [['loopback'], '127.0.0.1', '', '127.0.0.1'],
    [['loopback'], '::1', '203.0.113.7', '203.0.113.7'],
    [['loopback'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    // The proxy appends, so entries from the client are further left.
    [['loopback'], '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [['loopback'], '127.0.0.1', '198.51.100.1, 192.168.1.7', '192.168.1.7'],
    // A client on the LAN, and one on the internet, connect directly.
    [['loopback'], '192.168.1.7', '198.51.100.1', '192.168.1.7'],
    [['loopback'], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    [['loopback', '10.0.0.0/8'], '10.0.0.2', '198.51.100.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    [['uniquelocal'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
    [['203.0.113.9'], '203.0.113.9', '198.51.100.1', '198.51.100.1'],
    [false, '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    [[], '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    [true, '203.0.113.9', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [1, '10.0.0.2', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '10.0.0.2', '198.51.100.1, 203.0.113.7, 203.0.113.9', '203.0.113.7'],
    [2, '203.0.113.7', '198.51.100.1, 198.51.100.2', '203.0.113.7'],
    [0, '127.0.0.1', '198.51.100.1', '127.0.0.1'],
  ])('trust %j, peer %s, header "%s": %s', (...row) => {
    const [trust, peer, header, client] = row
    expect(senderOf({ trust }, peer, from(header)).address).toBe(client)
  })
})

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('reads the address in "%s"', (entry, address) => {
  expect(senderOf({}, '127.0.0.1', from(entry)).address).toBe(address)
})

test.each(['unknown', '_hidden', '<script>', 'x'.repeat(500), ',,,', '1.2.3', '198.51.100.1, unknown'])(
  'does not read past an entry that is not an address: %s',
  (header) => {
    expect(senderOf({}, '127.0.0.1', from(header)).address).toBe('127.0.0.1')
  },
)

test('limits the length of the chain', () => {
  const list = Array.from({ length: 5000 }, () => '127.0.0.1').join(', ')
  expect(senderOf({}, '127.0.0.1', from(list)).address).toBe('127.0.0.1')
})

describe('CF-Connecting-IP', () => {
  const named = (list = '') => ({ 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': list })
  const cloudflare = true

  test.each([
    ['from an address of Cloudflare', CLOUDFLARE, '', '198.51.100.1'],
    ['from an IPv6 address of Cloudflare', '2606:4700::9', '', '198.51.100.1'],
    ['from Cloudflare through a trusted proxy', '127.0.0.1', CLOUDFLARE, '198.51.100.1'],
    ['from a trusted proxy that names nobody', '127.0.0.1', '', '198.51.100.1'],
    ['from the internet', '203.0.113.7', '', '203.0.113.7'],
    ['from a client that claims to be Cloudflare', '203.0.113.7', CLOUDFLARE, '203.0.113.7'],
    ['from the LAN', '192.168.1.7', '', '192.168.1.7'],
    ['from a client around Cloudflare through a trusted proxy', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['with free text as chain', '127.0.0.1', 'unknown', '127.0.0.1'],
  ])('%s', (...row) => {
    const [, peer, list, client] = row
    expect(senderOf({ cloudflare }, peer, named(list)).address).toBe(client)
  })

  test('is ignored unless it is configured', () => {
    expect(senderOf({}, CLOUDFLARE, named()).address).toBe(CLOUDFLARE)
  })

  test('is ignored from a peer that is trusted only as a hop', () => {
    expect(senderOf({ cloudflare, trust: 2 }, '192.168.1.7', named()).address).toBe('192.168.1.7')
    expect(senderOf({ cloudflare, trust: 2 }, '10.0.0.2', named('203.0.113.7')).address).toBe('203.0.113.7')
    expect(senderOf({ cloudflare, trust: 1 }, '10.0.0.2', named(CLOUDFLARE)).address).toBe('198.51.100.1')
  })

  test('is accepted from the configured ranges', () => {
    const rules = { cloudflare, cloudflareRanges: ['192.0.2.0/24'] }
    expect(senderOf(rules, '192.0.2.4', named()).address).toBe('198.51.100.1')
    expect(senderOf(rules, CLOUDFLARE, named()).address).toBe(CLOUDFLARE)
  })

  test('must be an address', () => {
    const headers = { 'cf-connecting-ip': '<script>' }
    expect(senderOf({ cloudflare }, CLOUDFLARE, headers).address).toBe(CLOUDFLARE)
  })
})

describe('which peers are trusted proxies', () => {
  test.each<[Partial<ProxyRules>, string, boolean]>([
    [{}, '127.0.0.1', true],
    [{}, '::ffff:127.0.0.1', true],
    [{}, '10.0.0.2', false],
    [{}, '203.0.113.7', false],
    [{}, 'unknown', false],
    [{}, '', false],
    [{ trust: 1 }, '10.0.0.2', true],
    [{ trust: 1 }, '203.0.113.7', false],
    [{ trust: 0 }, '127.0.0.1', false],
    [{ trust: ['203.0.113.0/24'] }, '203.0.113.7', true],
    [{ cloudflare: true }, CLOUDFLARE, true],
    [{ cloudflare: true }, '203.0.113.7', false],
  ])('%j: %s', (rules, peer, expected) => {
    const { isTrustedPeer } = createProxyTrust({ cloudflare: false, trust: ['loopback'], ...rules })
    expect(isTrustedPeer(peer)).toBe(expected)
  })
})

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'x-forwarded-proto', 'via'])(
  'reports that %s of an untrusted peer was ignored',
  (name) => {
    expect(senderOf({}, '172.17.0.1', { [name]: 'a' })).toMatchObject({
      peer: '172.17.0.1',
      hasIgnoredHeaders: true,
    })
    expect(senderOf({}, '127.0.0.1', { [name]: 'a' }).hasIgnoredHeaders).toBe(false)
    expect(senderOf({}, '172.17.0.1').hasIgnoredHeaders).toBe(false)
  },
)

test('a client cannot write headers that are remembered as those of someone else', () => {
  const { senderOf: read } = createProxyTrust({ cloudflare: true, trust: ['loopback'] })
  const peer = { remoteAddress: '127.0.0.1' } as never
  const address = (chain: string, named: string) =>
    read({ headers: { 'x-forwarded-for': chain, 'cf-connecting-ip': named }, socket: peer }).address
  const victim = '198.51.100.9'
  expect(address(`203.0.113.7, ${CLOUDFLARE}`, victim)).toBe(victim)
  for (const [chain, named] of [
    [`203.0.113.7, ${CLOUDFLARE}|${victim}`, ''],
    [`203.0.113.7, ${CLOUDFLARE}${victim}`, ''],
    ['203.0.113.7', `, ${CLOUDFLARE}|${victim}`],
    ['', `203.0.113.7, ${CLOUDFLARE}|${victim}`],
  ] as const)
    expect(address(chain, named)).not.toBe(victim)
})
