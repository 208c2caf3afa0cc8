import { StartError } from '../lib/errors.ts'
import type { Config } from './config.ts'
import { contestKeys } from './contest-keys.ts'
import { isValues, type Values } from './layers.ts'
import { plainConfig } from './print-config.ts'
import { readConfig } from './read-config.ts'

const { extrank: _, standingsFeed: __, ...ofEvent } = contestKeys

/** The keys that belong to the event wherever it runs. The others describe a machine, or are registered for its address. */
export const EVENT_KEYS: readonly string[] = [...Object.keys(ofEvent), 'scoreProvider']
const TIMES: readonly string[] = ['startTime', 'endTime', 'freezeTime']

const EVENT_COMMENT = `# The event, from a backup: values that are not the defaults. A key that the configuration sets has precedence.
`
const HOST_COMMENT = `# The machine that made the backup. Copy to pennant.yaml what this one needs as well.
`

/** The configuration of an archive as YAML that a server can start with: keys of the machine are comments. */
export async function archivedConfig(config: Config, secrets: 'hidden' | 'included'): Promise<string> {
  return await render(plainConfig(config, secrets))
}

/** As `archivedConfig`, from the `config.yaml` of any archive. Throws a StartError if its event keys are not valid. */
export async function restoredConfig(text: string): Promise<string> {
  const { default: yaml } = await import('yaml')
  let values: unknown
  try {
    values = yaml.parse(text) ?? {}
  } catch {
    throw new StartError('it is not YAML')
  }
  if (!isValues(values)) throw new StartError('it is not a map of keys to values')
  readConfig([{ source: 'config.yaml', values: { ...pick(values, isOfEvent), tokenKey: NO_KEY } }])
  // Archives of earlier versions have every key.
  return Object.keys(values).every(isOfEvent) ? text : await render(values)
}

/** Event keys with another value in the second configuration. */
export function changedEventKeys(before: Config, after: Config): string[] {
  const [one, other] = [plainConfig(before, 'hidden'), plainConfig(after, 'hidden')]
  return EVENT_KEYS.filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
}

const NO_KEY = Buffer.alloc(32).toString('base64')
const isOfEvent = (key: string) => EVENT_KEYS.includes(key)

async function render(values: Values): Promise<string> {
  const { default: yaml } = await import('yaml')
  const defaults = plainConfig(readConfig([{ source: '', values: { tokenKey: NO_KEY } }]), 'hidden')
  const isSet = (key: string) =>
    key !== 'tokenKey' && JSON.stringify(values[key]) !== JSON.stringify(defaults[key])
  const event = pick(values, (key) => isOfEvent(key) && isSet(key))
  const host = pick(values, (key) => !isOfEvent(key) && isSet(key))
  const times = pick(event, (key) => TIMES.includes(key))
  const readable = Object.entries(times).map(([key, at]) => [key, new Date(Number(at)).toISOString()])
  const print = (part: Values) => (Object.keys(part).length > 0 ? yaml.stringify(part) : '')
  const comments = print(host).replaceAll(/^(?=.)/gm, '# ')
  return `${EVENT_COMMENT}${print({ ...event, ...Object.fromEntries(readable) })}\n${HOST_COMMENT}${comments}`
}

function pick(values: Values, isWanted: (key: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)))
}
