import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { mayUseCaches } from '../../lib/caching.ts'
import { createAddressList, isPrivateAddress, plainAddress } from '../../lib/addresses.ts'
import { CLOUDFLARE_RANGES } from './cloudflare-ranges.ts'

/** Which peers may report the client's address (configuration `proxy`, docs/decisions/0019). */
export interface ProxyRules {
  /** Read `CF-Connecting-IP` from Cloudflare's addresses and from trusted peers. */
  readonly cloudflare: boolean
  /** Overrides Cloudflare's published ranges. */
  readonly cloudflareRanges?: readonly string[] | undefined
  /** All peers, none, the number of proxies, or a list of addresses and ranges. */
  readonly trust: boolean | number | readonly string[]
}

/** Where a request came from. */
export interface Sender {
  /** The client: going back from the socket through X-Forwarded-For, the first address that is not a trusted proxy. */
  readonly address: string
  /** Remote address of the socket. */
  readonly peer: string
  /** The peer sent forwarding headers but is not a trusted proxy, so they were ignored. */
  readonly hasIgnoredHeaders: boolean
}

export interface ProxyTrust {
  /** Whether the peer is a configured proxy, whose connections carry requests of many clients. */
  readonly isTrustedPeer: (address: string) => boolean
  readonly senderOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Sender
}

/** Maximum length of a chain of proxies. */
const MAX_HOPS = 20
const UNKNOWN = 'unknown'

/** Headers that proxies add. */
export const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'via',
] as const

export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
}

/** Warnings about settings that can let clients choose their own address. */
export function trustWarnings({ trust }: ProxyRules): readonly string[] {
  if (trust === true) return ['proxy.trust is true: every client can choose its address']
  if (typeof trust !== 'number' || trust === 0) return []
  return [
    'proxy.trust is a number: unless it equals the number of proxies, or if clients share their network, clients can choose their address; list the proxies instead',
  ]
}

export function createProxyTrust(rules: ProxyRules): ProxyTrust {
  const isTrusted = hopTest(rules.trust)
  const isCloudflare = rules.cloudflare
    ? createAddressList(rules.cloudflareRanges ?? CLOUDFLARE_RANGES)
    : () => false
  const isTrustedPeer = (address: string) => isTrusted(address, 0) || isCloudflare(address)

  function find({ remote, chain, named }: Claim, isAnyForwarded: boolean): Sender {
    const peer = addressIn(remote) ?? UNKNOWN
    const last = walk(peer, chain, isTrusted)
    const name = rules.cloudflare ? addressIn(named) : null
    // A number of hops identifies no proxy, so it does not make a peer trusted for this header.
    const mayName = isCloudflare(last.address) || (last.isTrusted && typeof rules.trust !== 'number')
    return {
      address: name !== null && mayName ? name : last.address,
      peer,
      hasIgnoredHeaders: isAnyForwarded && !isTrustedPeer(peer),
    }
  }

  const known = new Map<string, Sender>()
  const senderOf: ProxyTrust['senderOf'] = ({ headers, socket }) => {
    const remote = socket.remoteAddress ?? ''
    const isAnyForwarded = isForwarded({ headers })
    const chain = isAnyForwarded ? String(headers['x-forwarded-for'] ?? '') : ''
    const named = isAnyForwarded ? String(headers['cf-connecting-ip'] ?? '') : ''
    const key = isAnyForwarded ? keyOf({ remote, chain, named }) : remote
    const found = mayUseCaches() ? known.get(key) : undefined
    if (found) return found
    const sender = find({ remote, chain, named }, isAnyForwarded)
    if (key.length > MAX_KEY_LENGTH) return sender
    if (known.size >= MAX_SENDERS) known.clear()
    known.set(key, sender)
    return sender
  }
  return { isTrustedPeer, senderOf }
}

/** What the socket and the headers say. */
interface Claim {
  readonly remote: string
  readonly chain: string
  readonly named: string
}

/** No two claims share a key, whatever the client writes into the headers: their lengths say where each ends. */
function keyOf({ remote, chain, named }: Claim): string {
  return `${remote}|${chain.length}|${chain}${named}`
}

/** Senders that are remembered, about 3 MB: each sends many requests, and the chain takes longer to follow than to look up. */
const MAX_SENDERS = 10_000
const MAX_KEY_LENGTH = 200

type HopTest = (address: string, hop: number) => boolean

/**
 * A number of hops does not identify the peer, so it applies only to peers on a private network, where proxies usually
 * are. A client that connects directly from the internet cannot forge hops.
 */
function hopTest(trust: ProxyRules['trust']): HopTest {
  if (typeof trust === 'number')
    return (address, hop) => hop < trust && (hop > 0 || isPrivateAddress(address))
  if (typeof trust === 'boolean') return () => trust
  return createAddressList(trust)
}

/** Follows the chain from the socket back to the first address that is not trusted. */
function walk(peer: string, forwarded: string, isTrusted: HopTest): { address: string; isTrusted: boolean } {
  let address = peer
  let rest = forwarded
  for (let hop = 0; hop < MAX_HOPS && isTrusted(address, hop); hop += 1) {
    const comma = rest.lastIndexOf(',')
    const next = addressIn(rest.slice(comma + 1))
    // An entry that is not an address ends the chain: it must not become a rate-limit key or a stored address.
    if (next === null) return { address, isTrusted: rest.trim() === '' }
    address = next
    rest = comma < 0 ? '' : rest.slice(0, comma)
    if (comma < 0) return { address, isTrusted: isTrusted(address, hop + 1) }
  }
  return { address, isTrusted: false }
}

/** The address in an entry, without port or brackets; null if it contains none. */
function addressIn(entry: string): string | null {
  const bare = plainAddress(entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'))
  return isIP(bare) > 0 ? bare : null
}
