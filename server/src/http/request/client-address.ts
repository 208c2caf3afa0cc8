import { isIPv6 } from 'node:net'

/** IPv4 clients behind a translator to IPv6 (RFC 6052): each is one address of this prefix, as different clients as on IPv4. */
const NAT64 = /^64:ff9b::(?:[\da-f]{1,4}(?::[\da-f]{1,4})?|[\d.]+)$/i

/**
 * The key that rate limits use for an address: the address itself, or the /64 prefix for IPv6, because a subscriber
 * gets a whole /64 and could use a new address for each request. Audit rows store the full address.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  if (NAT64.test(address)) return address.toLowerCase()
  const [head = [], tail] = address.toLowerCase().replace(/%.*$/, '').split('::').map(groupsOf)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  const prefix = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
  // Loopback and IPv4-mapped addresses: different clients share this prefix.
  return prefix === '0:0:0:0' ? address : `${prefix}::/64`
}

/** An embedded IPv4 address counts as two groups. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
