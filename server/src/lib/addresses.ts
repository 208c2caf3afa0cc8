import { BlockList, isIP } from 'node:net'

/** Names that stand for ranges in address lists, as other servers spell them. */
export const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Shared address space (RFC 6598). Container networks use it too. */
const SHARED_RANGE = '100.64.0.0/10'

/** Returns a test for membership in a list of addresses, CIDR ranges and named ranges. */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries.flatMap((each) => NAMED_RANGES[each] ?? [each])) {
    const [network = '', prefix] = entry.split('/')
    const bits = isIP(network) === 4 ? 32 : 128
    list.addSubnet(network, prefix === undefined ? bits : Number(prefix), familyOf(network))
  }
  return (address) => {
    const plain = plainAddress(address)
    return isIP(plain) > 0 && list.check(plain, familyOf(plain))
  }
}

/** True for loopback, private, link-local and shared addresses: those that the internet does not route. */
export const isPrivateAddress = createAddressList([...Object.keys(NAMED_RANGES), SHARED_RANGE])

/** Removes the prefix of an IPv4-mapped IPv6 address and the zone of a link-local one. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
