import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Where a request goes: the name that was asked for, and what it was found to mean. */
export interface Target {
  readonly host: string
  readonly port: number
}

type Match = (target: Target, address: ipaddr.IPv4 | ipaddr.IPv6) => boolean

/**
 * They give the keys of a machine to whoever asks from it, and no contest needs a visit to them: the range of most
 * clouds, and the addresses of AWS (IPv6), Alibaba and Oracle.
 */
const METADATA = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '100.100.100.200/32', '192.0.0.192/32'].map(
  (range) => ipaddr.parseCIDR(range),
)

/** `10.0.0.0/8`, `10.1.2.3`, `[fd00::1]`, `shop.internal`; each may end in `:8080`. */
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
  /** Whether a visit may connect to this address, which is what the name meant when it was looked up. */
  isAllowed(target: Target, address: string): boolean
}

/** Public addresses, and what `allowed` names, never those of metadata services. */
export function createAddresses(allowed: readonly string[], instances: readonly Target[]): Addresses {
  const matches = allowed.flatMap((text) => parseAllowed(text) ?? [])
  const isInstance = ({ host, port }: Target) =>
    instances.some((instance) => hostName(instance.host) === host && instance.port === port)
  return {
    isAllowed(target, text) {
      if (!ipaddr.isValid(text)) return false
      // An IPv4 address inside of IPv6 is judged as what it is.
      const address = ipaddr.process(text)
      if (METADATA.some((range) => isIn(address, range))) return false
      if (address.range() === 'unicast') return true
      return isInstance(target) || matches.some((match) => match(target, address))
    },
  }
}

/** As it is compared: lower case, no brackets, no dot at the end. */
export function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, range: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
