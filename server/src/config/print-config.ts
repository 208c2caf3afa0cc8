import type { Config } from './config.ts'
import type { Values } from './layers.ts'

const SECRET_NAME = /key|secret|password|token|credentials/i
const HIDDEN = '(hidden)'

/** The effective configuration as YAML. */
export async function printedConfig(config: Config): Promise<string> {
  const { default: yaml } = await import('yaml')
  return yaml.stringify(plainConfig(config, 'hidden')).trimEnd()
}

/** The effective configuration as values that YAML and JSON have. */
export function plainConfig(config: Config, secrets: 'hidden' | 'included'): Values {
  const plain = { ...config, tokenKey: config.tokenKey.toString('base64') }
  return JSON.parse(JSON.stringify(plain, secrets === 'hidden' ? hideSecrets : undefined)) as Values
}

function hideSecrets(name: string, value: unknown): unknown {
  // Checked before the value's type: a buffer arrives as an object.
  const isCarrier = value === undefined || value === null || typeof value === 'boolean'
  if (SECRET_NAME.test(name) && !isCarrier) return HIDDEN
  return typeof value === 'string' ? hideLogin(name, value) : value
}

/** URLs can contain passwords, and the URL of a webhook is itself a secret. */
function hideLogin(name: string, text: string): string {
  if (name === 'url' && /^https?:/.test(text)) return HIDDEN
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${HIDDEN}@`)
}
