import { z } from 'zod'

const SIZE_FACTORS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
const DURATION_FACTORS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

/** Such as `64m`: bytes, or a multiple with a unit of powers of 1024. */
export const Size = z
  .string()
  .regex(/^[1-9]\d{0,12}[bkmg]?$/, { error: 'must be a size, such as 64m' })
  .describe('A size, such as 64m.')

/** Such as `30s`. */
export const Duration = z
  .string()
  .regex(/^\d{1,9}(ns|us|ms|s|m|h)$/, { error: 'must be a duration, such as 30s' })
  .describe('A duration, such as 30s.')

export function bytesOf(size: string): number {
  return Number.parseInt(size, 10) * (SIZE_FACTORS[size.at(-1) ?? ''] ?? 1)
}

/** Nanoseconds, the engine's unit. */
export function nanosecondsOf(duration: string): number {
  const [, unit = 's'] = /([a-z]+)$/.exec(duration) ?? []
  return Number.parseInt(duration, 10) * (DURATION_FACTORS[unit] ?? 1)
}
