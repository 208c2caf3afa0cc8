import { createHash } from 'node:crypto'
import { z } from 'zod'

/** 14 addresses: the host's, the relay's and those of the services. */
const PREFIX_LENGTH = 28
const SIZE = 2 ** (32 - PREFIX_LENGTH)

/** The address range from which instance networks are allocated. */
export const SubnetPool = z
  .cidrv4()
  .refine(
    (pool) => Number(pool.split('/')[1]) <= PREFIX_LENGTH - 2,
    `must be larger than a /${PREFIX_LENGTH - 2}`,
  )

export interface Subnet {
  /** Such as 10.219.0.16/28. */
  readonly cidr: string
  /** The n-th address after the host's own: 1 is the relay, services follow. */
  address(n: number): string
}

/**
 * Subnets of the pool in a pseudo-random order that depends on the name. Engines refuse subnets in use, so a
 * few attempts find a free one without listing them.
 */
export function* subnetsFor(pool: string, name: string): Generator<Subnet> {
  const [base = '', length = ''] = pool.split('/')
  const first = numberOf(base)
  const count = 2 ** (PREFIX_LENGTH - Number(length))
  const start = createHash('sha256').update(name).digest().readUInt32BE()
  for (let step = 0; step < count; step++) {
    const network = first + ((start + step) % count) * SIZE
    yield { cidr: `${textOf(network)}/${PREFIX_LENGTH}`, address: (n) => textOf(network + 1 + n) }
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0)
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.')
}
