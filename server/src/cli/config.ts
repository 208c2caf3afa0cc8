import { lookAtConfig } from './load-config.ts'
import type { Outside } from './outside.ts'

const SECRET_NAME = /key|secret|password|token|credentials/i
const HIDDEN = '(hidden)'

/** `pennant config check`: fails with all mistakes, else says that there are none. */
export async function checkConfig(outside: Outside): Promise<void> {
  await lookAtConfig(outside)
  outside.print('The configuration is sound.')
}

/** `pennant config print`: the whole configuration as YAML, for looking at and for asking others. */
export async function printConfig(outside: Outside): Promise<void> {
  const config = await lookAtConfig(outside)
  const { default: yaml } = await import('yaml')
  outside.print(yaml.stringify(JSON.parse(JSON.stringify(config, hideSecrets))).trimEnd())
}

function hideSecrets(name: string, value: unknown): unknown {
  // A buffer comes as an object: the name decides before it is looked at.
  const isCarrier = value === undefined || value === null || typeof value === 'boolean'
  if (SECRET_NAME.test(name) && !isCarrier) return HIDDEN
  return typeof value === 'string' ? hideLogin(name, value) : value
}

/** Passwords stand in addresses, and the address of a webhook is one. */
function hideLogin(name: string, text: string): string {
  if (name === 'url' && /^https?:/.test(text)) return HIDDEN
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${HIDDEN}@`)
}
