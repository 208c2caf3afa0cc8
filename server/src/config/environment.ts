import { didYouMean } from '../lib/nearest.ts'
import { configKeys } from './config.ts'
import { environmentName, listKeys, type ValueKind } from './keys.ts'
import { setAt, type Layer } from './layers.ts'
import { REMOVED_KEYS } from './legacy.ts'
import { DOCKER_SERVICE } from './rctf-providers.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Names that platforms commonly set, and their configuration keys. A variable with our prefix takes
 * precedence.
 */
const WELL_KNOWN: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: ['database', 'url'],
  REDIS_URL: ['redis', 'url'],
  HOST: ['host'],
  PORT: ['port'],
  LOG_LEVEL: ['logLevel'],
}

/** Read by the program itself: where its configuration files are, and the site of `pennant challenges`. */
const OWN_NAMES = ['PENNANT_CONFIG', 'PENNANT_URL', 'PENNANT_TOKEN', 'PENNANT_TOKEN_FILE']

/**
 * Kubernetes adds variables for each service of a namespace to every container. A service called `pennant` or
 * `pennant-db` produces names with our prefix.
 */
const FROM_KUBERNETES = /^PENNANT_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/
const KUBERNETES_ADDRESS = /^(tcp|udp|sctp):\/\//

/** The environment without what configures a contest. */
export function withoutConfiguration(env: Environment): Environment {
  const others = Object.entries(env).filter(
    ([name]) => !name.startsWith('PENNANT_') && !Object.hasOwn(WELL_KNOWN, name),
  )
  return Object.fromEntries(others)
}

/** The environment as a layer with higher precedence than the files. */
export function environmentLayer(env: Environment): Layer {
  const keys = listKeys(configKeys)
  const kinds = new Map(keys.map((key) => [key.env, key]))
  const names = [...kinds.keys(), ...OWN_NAMES]
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  const known = new Map(keys.map((key) => [key.path.join('.'), key.env]))
  const given = new Map<string, string>()
  const read = (name: string, path: readonly string[], kind: ValueKind) => {
    const text = env[name]
    // Compose files pass unset variables as empty strings.
    if (text === undefined || text === '') return
    const value = parseValue(text, kind)
    if (value === undefined) problems.push(`${name}: must be JSON`)
    else {
      setAt(values, path, value)
      given.set(path.join('.'), name)
    }
  }

  for (const [name, path] of Object.entries(WELL_KNOWN)) read(name, path, name === 'PORT' ? 'number' : 'text')
  // Short names first, so that a block in JSON does not replace a key that is set separately.
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('PENNANT_') || OWN_NAMES.includes(name) || isFromKubernetes(name, env[name]))
      continue
    const key = kinds.get(name)
    const removed = REMOVED_KEYS.find(({ path }) => environmentName(path) === name)
    const whole = keys.find(({ env: map, kind }) => kind === 'json' && name.startsWith(`${map}_`))
    if (key) read(name, key.path, key.kind)
    else if (removed) read(name, removed.path, 'text')
    else if (whole)
      problems.push(`${name}: unknown environment variable; ${whole.env} takes all of it as JSON`)
    else problems.push(`${name}: unknown environment variable${didYouMean(name, names)}`)
  }
  const variable = (key: readonly string[]) =>
    variableIn(given, key) ?? variableIn(known, key) ?? environmentName(key)
  const service = Object.entries(DOCKER_SERVICE).filter(([name]) => env[name])
  const dockerService = Object.fromEntries(service.map(([name, option]) => [option, env[name]]))
  return { source: 'environment', values, problems, variable, dockerService }
}

/** What is inside of a list or a map has no variable: the one around it has the value. */
function variableIn(variables: ReadonlyMap<string, string>, key: readonly string[]): string | null {
  for (let length = key.length; length > 0; length--) {
    const name = variables.get(key.slice(0, length).join('.'))
    if (name === undefined) continue
    const entry = key[length] ?? ''
    return /^\d+$/.test(entry) ? `${name}, entry ${Number(entry) + 1}` : name
  }
  return null
}

function isFromKubernetes(name: string, value = ''): boolean {
  return FROM_KUBERNETES.test(name) || (name.endsWith('_PORT') && KUBERNETES_ADDRESS.test(value))
}

/** Undefined for invalid JSON. Other mismatches stay text: the schema reports the error. */
function parseValue(text: string, kind: ValueKind): unknown {
  if (kind === 'json') return parseJson(text)
  if (kind === 'mixed' && /^[[{]/.test(text)) return parseJson(text)
  // A key that also accepts text may contain a numeric id, which must keep leading zeros and all its digits.
  if ((kind === 'number' || kind === 'mixed') && /^-?\d+(\.\d+)?$/.test(text))
    return kind === 'number' || String(Number(text)) === text ? Number(text) : text
  if (kind === 'boolean' && /^(true|yes|y|1)$/i.test(text)) return true
  if (kind === 'boolean' && /^(false|no|n|0)$/i.test(text)) return false
  if (kind === 'mixed' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
