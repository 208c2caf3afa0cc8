import { expect, test } from 'vitest'
import { createAddressList, isPrivateAddress, plainAddress } from './addresses.ts'

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.0.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['fd12::1', true],
  ['fe80::1%eth0', true],
  ['::ffff:10.0.0.1', true],
  ['203.0.113.7', false],
  ['2001:db8::1', false],
  ['unknown', false],
  ['', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})

test('a list accepts addresses, ranges and named ranges', () => {
  const has = createAddressList(['loopback', '10.0.0.0/8', '2001:db8::/32', '203.0.113.7'])
  const inside = ['127.0.0.1', '10.255.0.1', '2001:db8:1::1', '203.0.113.7', '::ffff:203.0.113.7']
  expect(inside.filter((address) => !has(address))).toEqual([])
  expect(['203.0.113.8', '11.0.0.1', '2001:db9::1', 'loopback'].filter(has)).toEqual([])
})

test('plainAddress removes the IPv4-mapped prefix and the zone', () => {
  expect(plainAddress('::FFFF:203.0.113.7')).toBe('203.0.113.7')
  expect(plainAddress('fe80::1%eth0')).toBe('fe80::1')
})
