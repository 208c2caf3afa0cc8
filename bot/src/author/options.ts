import type { LaunchOptions } from 'playwright-core'
import { z } from 'zod'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { Visit } from './challenge.ts'

// The bounds of inputs and of the time limit match those of the server's database.
export const MAX_TIMEOUT_MS = HOUR_MS
export const MAX_INPUTS = 100
const MAX_NAME_LENGTH = 256
const MAX_PATTERN_LENGTH = 10_000
/** Every request of a page is checked against every rule. */
const MAX_RULES = 100
export const MAX_LOG_LINES = 10_000
export const MAX_LOG_VALUE_CHARS = 65_536

const InputRule = z
  .strictObject({ pattern: z.string().max(MAX_PATTERN_LENGTH), flags: z.string().max(16).exactOptional() })
  .refine(({ pattern, flags }) => isRegex(pattern, flags), 'is no regular expression')

/** A new expression without the `lastIndex` of an earlier match. */
const Rule = z
  .union([z.instanceof(RegExp), z.string().max(MAX_PATTERN_LENGTH)])
  .refine((rule) => rule instanceof RegExp || isRegex(rule), 'is no regular expression')
  .transform((rule) =>
    typeof rule === 'string' ? new RegExp(rule) : new RegExp(rule.source, rule.flags.replace(/[gy]/g, '')),
  )

const Rules = z
  .strictObject({
    allowRegex: z.array(Rule).max(MAX_RULES).default([]),
    disallowRegex: z.array(Rule).max(MAX_RULES).default([]),
  })
  .prefault({})

const Hooks = z
  .strictObject({
    showConsoleLogs: z.boolean().default(false),
    showBrowserErrors: z.boolean().default(false),
    showNavigation: z.boolean().default(false),
    showDialogs: z.boolean().default(false),
    autoDismissDialogs: z.boolean().default(false),
    limitTabsNumber: z.int().min(-1).default(-1),
    limitTabsNumberShowError: z.boolean().default(false),
  })
  .prefault({})

/** An author's options after validation, with defaults. */
export const Options = z.strictObject({
  timeoutMilliseconds: z.int().min(1).max(MAX_TIMEOUT_MS),
  inputs: z
    .record(z.string().min(1).max(MAX_NAME_LENGTH), InputRule)
    .refine((inputs) => Object.keys(inputs).length <= MAX_INPUTS, `has more than ${MAX_INPUTS} entries`),
  handler: z.custom<(visit: Visit) => Promise<void>>(
    (value) => typeof value === 'function',
    'must be a function',
  ),
  browser: z.enum(['chrome', 'firefox']).default('chrome'),
  browserVersion: z.literal('stable').default('stable'),
  browserArguments: z.array(z.string()).optional(),
  extraPrefsFirefox: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  launchOptionsExtra: z
    .custom<LaunchOptions>((value) => typeof value === 'object' && value !== null, 'must be an object')
    .optional(),
  maxLogLines: z.int().min(0).max(MAX_LOG_LINES).default(64),
  maxLogValueChars: z.int().min(1).max(MAX_LOG_VALUE_CHARS).default(2048),
  restrictDomains: z.strictObject({ host: Rules, url: Rules }).prefault({}),
  requireInstancerInstancesRunning: z.boolean().default(false),
  hooksConfig: Hooks,
})
export type Options = z.output<typeof Options>
export type HookOptions = Options['hooksConfig']
export type DomainRestrictions = Options['restrictDomains']

function isRegex(pattern: string, flags?: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}
