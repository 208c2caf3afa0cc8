import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** The target of a request: the requested name and the addresses it resolves to. */
export interface Target {
  readonly host: string
  readonly port: number
}

type Match = (target: Target, address: ipaddr.IPv4 | ipaddr.IPv6) => boolean

/**
 * Metadata services give a machine's credentials to any process on it, and no contest needs to visit them:
 * the range of most clouds, and the addresses of AWS (IPv6), Alibaba and Oracle.
 */
const METADATA = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '100.100.100.200/32', '192.0.0.192/32'].map(
  (range) => ipaddr.parseCIDR(range),
)

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** `10.0.0.0/8`, `10.1.2.3`, `[fd00::1]`, `shop.internal`; each with an optional port, such as `:8080`. */
export const AllowedTarget = z
  .string()
  .refine(
    (text) => parseAllowed(text) !== null,
    'is no address, range or name, with or without a port: 10.0.0.0/8, 10.1.2.3:8080, [fd00::1]:80, shop.internal',
  )

function parseAllowed(text: string): Match | null {
  const parts = /^(?:\[([\da-f:.]+(?:\/\d+)?)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text)
  const host = parts?.[1] ?? parts?.[2]
  if (host === undefined) return null
  const port = parts?.[3] === undefined ? null : Number(parts[3])
  const isPort = (target: Target) => port === null || target.port === port
  if (ipaddr.isValidCIDR(host)) {
    const range = ipaddr.parseCIDR(host)
    return (target, address) => isPort(target) && isIn(address, range)
  }
  if (ipaddr.isValid(host)) {
    const one = ipaddr.process(host).toString()
    return (target, address) => isPort(target) && address.toString() === one
  }
  if (!/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host)) return null
  const name = host.toLowerCase()
  return (target) => isPort(target) && target.host === name
}

export interface Addresses {
  /** Whether a visit may connect to this address, one that the name resolved to. */
  isAllowed(target: Target, address: string): boolean
}

/** Allows public addresses and those in `allowed`, but never those of metadata services. */
export function createAddresses(allowed: readonly string[], instances: readonly Target[]): Addresses {
  const matches = allowed.flatMap((text) => parseAllowed(text) ?? [])
  const isInstance = ({ host, port }: Target) =>
    instances.some((instance) => hostName(instance.host) === host && instance.port === port)
  return {
    isAllowed(target, text) {
      if (!ipaddr.isValid(text)) return false
      // An IPv4-mapped IPv6 address is checked as IPv4.
      const address = ipaddr.process(text)
      if (METADATA.some((range) => isIn(address, range))) return false
      if (isPublic(address)) return true
      return isInstance(target) || matches.some((match) => match(target, address))
    },
  }
}

/** Normalised for comparison: lower case, no brackets, no trailing dot. */
export function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** For IPv6 only assigned unicast ranges: `::7f00:1` is an old notation for 127.0.0.1. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6))
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, range: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
