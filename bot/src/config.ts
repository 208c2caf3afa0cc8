import { z } from 'zod'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { AllowedTarget } from './proxy/addresses.ts'

const MAX_CONCURRENCY = 32
const MAX_POLL_INTERVAL_MS = HOUR_MS

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
      addIssue({ code: 'custom', message: 'is not valid JSON' })
      return z.NEVER
    }
  })
  .pipe(Headers)

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/**
 * The worker's environment variables with meaning and default. docs/operate/admin-bot.md has the same table.
 */
const Environment = z.object({
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  SECRET_KEY: z.string().min(1),
  /**
   * `on` in the image: every visit gets a user id and namespaces of its own, or the worker refuses to start.
   */
  ISOLATION: z.enum(['on', 'off']).default('off'),
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

/**
 * Secrets. Each can be read from the file that `<name>_FILE` names, which keeps it out of every environment.
 */
const SECRETS = ['SECRET_KEY', 'EXTRA_HEADERS'] as const

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the worker's environment, and the files it names with `readSecret`. The error message lists every
 * invalid variable, but no values.
 */
export function readConfig(env: Variables, readSecret: (path: string) => string): Config {
  // Compose files pass unset variables as empty strings.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const problems: string[] = []
  const secrets = SECRETS.flatMap((name) => {
    try {
      const value = readSecretOf(name, set, readSecret)
      return value === undefined ? [] : [[name, value]]
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
      // Report only one error for this variable.
      return name === 'SECRET_KEY' ? [[name, 'unknown']] : []
    }
  })
  const others = Object.entries(set).filter(([name]) => !SECRETS.some((secret) => secret === name))
  const result = Environment.safeParse(Object.fromEntries([...others, ...secrets]))
  if (!result.success)
    problems.push(...result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  if (result.success && problems.length === 0) return result.data
  throw new Error(`The configuration of the worker is invalid.\n${problems.join('\n')}`)
}

/** Paths of the secret files, which no process of a visit may be able to read. */
export function secretFilesIn(env: Variables): string[] {
  return SECRETS.flatMap((name) => env[`${name}_FILE`] || [])
}

/**
 * Names of secrets set in the environment, where every process of the same user can read them under /proc.
 */
export function secretsInEnvironment(env: Variables): string[] {
  return SECRETS.filter((name) => env[name])
}

function readSecretOf(name: string, env: Variables, readSecret: (path: string) => string) {
  const path = env[`${name}_FILE`]
  if (path === undefined) {
    if (env[name] !== undefined && env['ISOLATION'] === 'on')
      throw new Error(`${name}: must not be set directly. Set ${name}_FILE to the path of a file.`)
    return env[name]
  }
  if (env[name] !== undefined) throw new Error(`${name}_FILE: ${name} is set as well. Set only one of them.`)
  let text: string
  try {
    text = readSecret(path).trim()
  } catch (error) {
    throw new Error(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, {
      cause: error,
    })
  }
  if (text === '') throw new Error(`${name}_FILE: the file is empty.`)
  return text
}
