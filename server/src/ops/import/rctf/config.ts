import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseYaml } from '../../../features/organisers/archives/yaml.ts'
import { StartError } from '../../../lib/errors.ts'
import { isObject, listOf, objectOf, textOrNull, type Json } from '../json.ts'

// The configuration of rCTF: YAML and JSON files of a folder, merged in the order of their names.

const MAX_FILES = 100
const MAX_FILE_BYTES = 1024 * 1024

export async function readRctfConfig(path: string): Promise<Json> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StartError(`${path} does not exist.`)
  const names = found.isDirectory()
    ? (await readdir(path)).filter((name) => /\.(ya?ml|json)$/i.test(name) && !name.startsWith('.')).sort()
    : null
  if (names && names.length > MAX_FILES) throw new StartError(`${path} has more than ${MAX_FILES} files.`)
  if (names?.length === 0) throw new StartError(`${path} has no configuration: no .yaml or .json file.`)
  let merged: Json = {}
  for (const file of names?.map((name) => join(path, name)) ?? [path])
    merged = mergeConfig(merged, await readOne(file))
  return merged
}

interface ConfigFile {
  readonly name: string
  readonly text: string
}

/** Files that someone sent, in the order in which they are merged. */
export async function parseRctfConfig(files: readonly ConfigFile[]): Promise<Json> {
  let merged: Json = {}
  for (const { name, text } of files) {
    const parsed = await parseYaml(text)
    if ('error' in parsed) throw new StartError(`${name || 'The configuration'} ${parsed.error}.`)
    const values = parsed.value ?? {}
    if (!isObject(values))
      throw new StartError(`${name || 'The configuration'} must be a map of keys to values.`)
    merged = mergeConfig(merged, values)
  }
  return merged
}

async function readOne(path: string): Promise<Json> {
  const { size } = await stat(path)
  if (size > MAX_FILE_BYTES) throw new StartError(`${path} is larger than ${MAX_FILE_BYTES} bytes.`)
  const { default: yaml } = await import('yaml')
  const document = yaml.parseDocument(await readFile(path, 'utf8'))
  // The message of the parser quotes the line, which may contain a secret.
  if (document.errors.length > 0)
    throw new StartError(`${path} is not valid YAML (line ${document.errors[0]?.linePos?.[0].line ?? '?'}).`)
  const values: unknown = document.toJS() ?? {}
  if (!isObject(values)) throw new StartError(`${path} must be a map of keys to values.`)
  return values
}

/** Objects are merged, lists are concatenated. */
function mergeConfig(under: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const present = merged[key]
    if (Array.isArray(present) && Array.isArray(value))
      merged[key] = [...(present as unknown[]), ...(value as unknown[])]
    else merged[key] = isObject(present) && isObject(value) ? mergeConfig(present, value) : value
  }
  return merged
}

export function tokenKeyOf(config: Json): Buffer | null {
  const text = textOrNull(config['tokenKey'])
  if (text === null) return null
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new StartError('The `tokenKey` of rCTF is not 32 bytes in base64.')
  return key
}

const SAME_KEYS = [
  'tokenKey',
  'origin',
  'divisions',
  'defaultDivision',
  'divisionACLs',
  'registrationsEnabled',
  'userMembers',
  'maxMembers',
  'loginTimeout',
  'scoreProvider',
  'captcha',
  'analytics',
  'bloodBot',
  'avatarsModeration',
  'defaultInstancer',
  'globalSiteTag',
]

const INSTANCERS: Readonly<Record<string, string>> = {
  'instancers/docker': 'instancers/http',
  'instancers/k8s': 'instancers/kubernetes',
}

/** The keys of Pennant's configuration that carry over. Datastores, uploads and addresses to listen on do not. */
export function configurationOf(config: Json, isV1: boolean): Json {
  const values: Record<string, unknown> = {}
  for (const key of SAME_KEYS) if (config[key] !== undefined) values[key] = config[key]
  const { clientId, clientSecret } = objectOf(config['ctftime'])
  if (clientId !== undefined) values['extrank'] = { clientId: String(clientId as string), clientSecret }
  if (isV1) values['scoreProvider'] = { name: 'scores/legacy' }
  if (config['email'] !== undefined) values['email'] = config['email']
  if (config['recaptcha'] !== undefined) values['legacyCaptcha'] = config['recaptcha']
  const instancers = Object.entries(objectOf(config['instancers']))
  if (instancers.length > 0)
    values['instancers'] = Object.fromEntries(
      instancers.map(([name, value]) => [name, renamed(objectOf(value), INSTANCERS)]),
    )
  const adminBot = objectOf(config['adminBot'])
  if (adminBot['provider'] !== undefined)
    values['adminBot'] = {
      ...adminBot,
      provider: renamed(objectOf(adminBot['provider']), { 'admin-bots/rctf-ts': 'admin-bots/browser' }),
    }
  return values
}

function renamed(provider: Json, names: Readonly<Record<string, string>>): Json {
  const name = textOrNull(provider['name']) ?? ''
  return { ...provider, name: names[name] ?? name }
}

/** Version 1 uses the first rule that matches, Pennant the divisions of all rules that match. */
export function hasOverlappingRules(config: Json): boolean {
  return listOf(config['divisionACLs']).length > 1
}
