import { lookup } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createAddressList } from './addresses.ts'

/** Ranges of IPv4 that do not lead to other machines of the internet (IANA's registry), and two cloud services. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Including the metadata service of most clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Azure's wire server has a public address.
  '168.63.129.16/32',
]

/** Ranges within global unicast (2000::/3) that are special or contain IPv4 addresses (Teredo, 6to4). */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isSpecial = createAddressList([...SPECIAL_V4, ...SPECIAL_V6])
const isGlobalUnicast = createAddressList(['2000::/3'])

/**
 * Whether an address is one of another machine on the internet. False for private, loopback, link-local, multicast and
 * reserved addresses, for IPv6 addresses that stand for IPv4 ones (mapped, NAT64, 6to4), and for those of this machine.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || isOwnAddress(address)) return false
  if (family === 4) return !isSpecial(address)
  // Outside it are loopback, link-local, unique local, multicast, IPv4-mapped and NAT64 addresses.
  return isGlobalUnicast(address) && !isSpecial(address)
}

function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address))
}

export interface PublicFetchOptions {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Whether the machine may connect to an address and port. Tests and trusted callers allow others. */
  readonly mayConnect?: (address: string, port: number) => boolean
  /** Ends a fetch before its timeout. */
  readonly signal?: AbortSignal
}

/** Why nothing was fetched. `address`: the URL leads to no other machine of the internet. */
export type FetchFailure = 'address' | 'unreachable' | 'tooLarge'

const MAX_REDIRECTS = 3
const PORTS = new Set([80, 443])

function isPublic(address: string, port: number): boolean {
  return PORTS.has(port) && isPublicAddress(address)
}

/**
 * Fetches a URL that a user chose without letting it reach this machine or its network: each connection, of redirects
 * too, goes to an address that was checked. The built-in `fetch` resolves the name again when it connects.
 */
export async function fetchPublic(
  url: string,
  options: PublicFetchOptions,
): Promise<Buffer | { readonly failure: FetchFailure }> {
  const signal = AbortSignal.any([
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal ? [options.signal] : []),
  ])
  let next = url
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await get(next, { signal, mayConnect: options.mayConnect ?? isPublic })
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy()
        next = new URL(headers.location, next).href
        continue
      }
      if (statusCode !== 200) {
        response.destroy()
        return { failure: 'unreachable' }
      }
      return await bodyOf(response, options.maxBytes)
    }
  } catch (error) {
    if (error instanceof RefusedAddress) return { failure: 'address' }
  }
  return { failure: 'unreachable' }
}

class RefusedAddress extends Error {}

interface Get {
  readonly signal: AbortSignal
  readonly mayConnect: (address: string, port: number) => boolean
}

/** Throws `RefusedAddress`, or an error of the network. */
function get(address: string, { signal, mayConnect }: Get): Promise<IncomingMessage> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return Promise.reject(new RefusedAddress())
  const isTls = url.protocol === 'https:'
  const port = Number(url.port || (isTls ? 443 : 80))
  // A connection to an address looks up no name.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) > 0 && !mayConnect(literal, port)) return Promise.reject(new RefusedAddress())
  const checked: LookupFunction = (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      // One that is refused refuses the name: it leads to another machine only some of the time.
      if (found.length === 0 || !found.every((each) => mayConnect(each.address, port)))
        return done(new RefusedAddress(), [])
      if (options.all) return done(null, found)
      done(null, found[0]?.address ?? '', found[0]?.family)
    })
  return new Promise((resolve, reject) => {
    const headers = { accept: 'image/*', 'accept-encoding': 'identity' }
    // No agent: a connection of a pool could belong to an address that was not checked.
    const options = { signal, headers, agent: false, lookup: checked } as const
    const request = isTls ? https.request(url, options, resolve) : http.request(url, options, resolve)
    request.on('error', reject).end()
  })
}

async function bodyOf(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) return { failure: 'tooLarge' as const }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
