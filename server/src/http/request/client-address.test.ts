import { expect, test } from 'vitest'
import { addressKey } from './client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b::203.0.113.7'],
  ['64:FF9B::CB00:7107', '64:ff9b::cb00:7107'],
  ['64:ff9b::1:2:3', '64:ff9b:0:0::/64'],
  ['64:ff9b:1::9', '64:ff9b:1:0::/64'],
  ['::1', '::1'],
  ['::ffff:cb00:7107', '::ffff:cb00:7107'],
])('limits count %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
