import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whose forwarding headers are believed (configuration `proxy`). */
export interface ProxyRules {
  /** The client is whom the CDN names in `CF-Connecting-IP`. */
  readonly cloudflare: boolean
  /** Trusted hops, or the addresses that are trusted; walked from the socket leftwards. */
  readonly trust: boolean | number | string | readonly string[]
}

/** The client's address: the first that is not trusted, without the prefix of mapped IPv4 addresses. */
export function clientAddress(request: FastifyRequest, rules: ProxyRules): string {
  const named = rules.cloudflare ? request.headers['cf-connecting-ip'] : undefined
  const address = typeof named === 'string' && named !== '' ? named.trim() : request.ip
  // Forwarding headers are free text: an overlong one must not reach a key or a row.
  return (address || 'unknown').replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64)
}

/**
 * What the framework asks of each address from the socket leftwards. A hop count says nothing about who connected, so
 * it counts only where the socket's peer is on a private network, as proxies are: a client that connects directly
 * cannot invent hops. Behind a proxy with a public address, name the addresses instead.
 */
export function trustOf(trust: ProxyRules['trust']): boolean | string | string[] | HopTest {
  if (typeof trust === 'number') {
    return (address, hop) => hop < trust && (hop > 0 || isPrivate(address))
  }
  return typeof trust === 'object' ? [...trust] : trust
}

type HopTest = (address: string, hop: number) => boolean

const PRIVATE_RANGES = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  // Carrier-grade range, which container networks use too.
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const

const privateAddresses = new BlockList()
for (const [network, prefix, family] of PRIVATE_RANGES) privateAddresses.addSubnet(network, prefix, family)

function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return privateAddresses.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/**
 * What rate limits count by. A line with IPv6 has a whole /64, and its owner could take another address for each
 * request; audits keep the address itself.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = [], tail] = address.toLowerCase().replace(/%.*$/, '').split('::').map(groupsOf)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  const prefix = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
  // Loopback, and IPv4 in other clothes: those who share these four share nothing.
  return prefix === '0:0:0:0' ? address : `${prefix}::/64`
}

/** IPv4 at the end takes two groups. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
