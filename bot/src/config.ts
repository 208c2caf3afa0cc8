import { z } from 'zod'
import { AllowedTarget } from './proxy/addresses.ts'

const MAX_CONCURRENCY = 32
const MAX_POLL_INTERVAL_MS = 3_600_000

const listOf = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const Headers = z.record(z.string().regex(/^[\w-]+$/), z.string())

const ExtraHeaders = z
  .string()
  .transform((text, { addIssue }) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      addIssue({ code: 'custom', message: 'is no JSON' })
      return z.NEVER
    }
  })
  .pipe(Headers)

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** The worker's environment: name, meaning, default. docs/operate/admin-bot.md has the same table. */
const Environment = z.object({
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  SECRET_KEY: z.string().min(1),
  EXTRA_HEADERS: ExtraHeaders.prefault('{}'),
  CHROMIUM_PATH: z.string().optional(),
  FIREFOX_PATH: z.string().optional(),
  ALLOW_PRIVATE: z.string().default('').transform(listOf).pipe(z.array(AllowedTarget)),
  CONCURRENCY: wholeNumber(1, MAX_CONCURRENCY).default(1),
  WARM_BROWSER: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
  VISIT_MEMORY_MIB: wholeNumber(128, 65_536).default(1024),
  POLL_INTERVAL_MS: wholeNumber(10, MAX_POLL_INTERVAL_MS).default(5000),
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber(0, 65_535).default(21_337),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
})
export type Config = z.output<typeof Environment>

/** Pure. Throws an error whose message names every variable that is wrong, and no value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // Compose files pass what is not set as an empty text.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(set)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The environment of the worker is not right.\n${problems.join('\n')}`)
}
