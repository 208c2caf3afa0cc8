import type { z } from 'zod'
import { contestKeys } from './contest-keys.ts'
import { instanceKeys } from './instance-keys.ts'
import { providerKeys } from './provider-keys.ts'
import { serviceKeys } from './service-keys.ts'

/**
 * Every configuration key. `pennant config keys` and the environment variable names are derived from it.
 */
export const configKeys = { ...contestKeys, ...serviceKeys, ...providerKeys, ...instanceKeys }

type Keys = typeof configKeys
export type Written = { readonly [K in keyof Keys]: z.output<Keys[K]> }

/** Values whose default is not a constant; always set in the loaded configuration. */
export interface Derived {
  readonly origin: string
  /** 32 bytes. */
  readonly tokenKey: Buffer
  /** Unix milliseconds; without a configured start, that of an event that is not scheduled. */
  readonly startTime: number
  readonly endTime: number
}

/** The validated configuration. */
export type Config = Omit<Written, keyof Derived> & Derived
