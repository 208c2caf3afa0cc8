import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { AllowedTarget, createAddresses, hostName } from './addresses.ts'

const target = { host: 'site.example', port: 80 }

const INTERNAL =
  `127.0.0.1 127.8.8.8 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 0.0.0.0 0.1.2.3
  169.254.169.254 192.0.0.192 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd00:ec2::254
  ::7f00:1 ::10.0.0.1 4000::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 ff02::1`.split(
    /\s+/,
  )

test.each(INTERNAL)('%s may not be visited', (address) => {
  expect(createAddresses([], []).isAllowed(target, address)).toBe(false)
})

test.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(createAddresses([], []).isAllowed(target, address)).toBe(true)
})

test.each<[string, string, number, boolean]>([
  ['10.0.0.0/8', '10.9.9.9', 80, true],
  ['10.0.0.0/8', '11.0.0.1', 80, true],
  ['10.0.0.0/8', '192.168.0.1', 80, false],
  ['10.0.0.0/8:8080', '10.9.9.9', 80, false],
  ['10.0.0.0/8:8080', '10.9.9.9', 8080, true],
  ['127.0.0.1', '::ffff:127.0.0.1', 80, true],
  ['[fd00::1]:80', 'fd00::1', 80, true],
  ['[fd00::1]:80', 'fd00::1', 81, false],
  ['fd00::1', 'fd00::1', 80, false],
  ['[fd00::/8]', 'fd00:1::1', 80, true],
  ['site.example', '10.0.0.1', 80, true],
  ['Site.Example:80', '10.0.0.1', 80, true],
  ['site.example:81', '10.0.0.1', 80, false],
  ['other.example', '10.0.0.1', 80, false],
])('with %s allowed, %s at port %i: %s', (...[allowed, address, port, expected]) => {
  const parsed = AllowedTarget.safeParse(allowed).success ? [allowed] : []
  expect(createAddresses(parsed, []).isAllowed({ ...target, port }, address)).toBe(expected)
})

test('an instance of the job is allowed only by host and port together', () => {
  const { isAllowed } = createAddresses([], [{ host: 'Box.internal', port: 3000 }])
  expect(isAllowed({ host: 'box.internal', port: 3000 }, '10.0.0.7')).toBe(true)
  expect(isAllowed({ host: 'box.internal', port: 3001 }, '10.0.0.7')).toBe(false)
  expect(isAllowed({ host: 'evil.example', port: 3000 }, '10.0.0.7')).toBe(false)
})

test('metadata addresses that give out keys can never be allowed', () => {
  const all = ['0.0.0.0/0', '[::/0]', '169.254.169.254', 'site.example']
  const { isAllowed } = createAddresses(all, [target])
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200'])
    expect(isAllowed(target, address)).toBe(false)
  expect(isAllowed(target, '10.0.0.1')).toBe(true)
})

test.each(['', ' ', '10.0.0.0/33', 'a b', 'http://x', '*.internal', '[::1', 'x:y', '-x', 'x:123456'])(
  '%j is not a valid target',
  (text) => {
    expect(AllowedTarget.safeParse(text).success).toBe(false)
  },
)

test('anything that is not an address is refused', () => {
  const { isAllowed } = createAddresses([], [])
  assert(property(string(), (text) => isAllowed(target, `${text}x.`) === false))
})

test('hosts are normalised before they are compared', () => {
  expect(['A.Example.', '[::1]', 'x'].map(hostName)).toEqual(['a.example', '::1', 'x'])
})
