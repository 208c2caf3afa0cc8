import type { z } from 'zod'
import { contestKeys } from './contest-keys.ts'
import { instanceKeys } from './instance-keys.ts'
import { providerKeys } from './provider-keys.ts'
import { serviceKeys } from './service-keys.ts'

/** Every key of the configuration. The page for operators and the environment names come from here. */
export const configKeys = { ...contestKeys, ...serviceKeys, ...providerKeys, ...instanceKeys }

type Keys = typeof configKeys
export type Written = { readonly [K in keyof Keys]: z.output<Keys[K]> }

/** What has a default that is not a constant, and so is there once the configuration is read. */
export interface Derived {
  readonly origin: string
  /** 32 bytes. */
  readonly tokenKey: Buffer
  /** Unix milliseconds. */
  readonly startTime: number
  readonly endTime: number
}

/** The checked configuration. */
export type Config = Omit<Written, keyof Derived> & Derived
