import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseYaml } from '../../../features/organisers/archives/yaml.ts'
import { StartError } from '../../../lib/errors.ts'
import { isObject, objectOf, textOrNull, type Json } from '../json.ts'
import { environmentLayers, type ConfigLayer, type Environment } from './environment.ts'

// The configuration of rCTF: YAML and JSON files of a folder, merged in the order of their names, then the environment.

const MAX_FILES = 100
const MAX_FILE_BYTES = 1024 * 1024

export interface RctfConfig {
  readonly values: Json
  /** In the order in which they were merged. */
  readonly layers: readonly ConfigLayer[]
}

export async function readRctfConfig(path: string, env: Environment = {}): Promise<RctfConfig> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StartError(`${path} does not exist.`)
  const names = found.isDirectory()
    ? (await readdir(path)).filter((name) => /\.(ya?ml|json)$/i.test(name) && !name.startsWith('.')).sort()
    : null
  if (names && names.length > MAX_FILES) throw new StartError(`${path} has more than ${MAX_FILES} files.`)
  if (names?.length === 0) throw new StartError(`${path} has no configuration: no .yaml or .json file.`)
  const layers: ConfigLayer[] = []
  for (const file of names?.map((name) => join(path, name)) ?? [path])
    layers.push({ source: file, values: await readOne(file) })
  return mergedOf([...layers, ...environmentLayers(env, mergedOf(layers).values)])
}

interface ConfigFile {
  readonly name: string
  readonly text: string
}

/** Files that someone sent, in the order in which they are merged. */
export async function parseRctfConfig(files: readonly ConfigFile[]): Promise<RctfConfig> {
  const layers: ConfigLayer[] = []
  for (const { name, text } of files) {
    const parsed = await parseYaml(text)
    if ('error' in parsed) throw new StartError(`${name || 'The configuration'} ${parsed.error}.`)
    const values = parsed.value ?? {}
    if (!isObject(values))
      throw new StartError(`${name || 'The configuration'} must be a map of keys to values.`)
    layers.push({ source: name, values })
  }
  return mergedOf(layers)
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

/** A provider without options may be given as its name. */
function mapOf(value: unknown): Json {
  return typeof value === 'string' ? { name: value } : objectOf(value)
}

/** Objects are merged, lists are concatenated. */
function mergeConfig(under: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const present = merged[key]
    if (Array.isArray(present) && Array.isArray(value))
      merged[key] = [...(present as unknown[]), ...(value as unknown[])]
    else merged[key] = isObject(value) ? mergeConfig(mapOf(present), value) : value
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

function mergedOf(layers: readonly ConfigLayer[]): RctfConfig {
  return { layers, values: layers.reduce<Json>((under, { values }) => mergeConfig(under, values), {}) }
}

/** The file or variable that has the last word on a key; empty if none sets it. */
export function sourceOf({ layers }: RctfConfig, path: readonly string[]): string {
  return layers.findLast(({ values }) => valueAt(values, path) !== undefined)?.source ?? ''
}

export function valueAt(values: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((each, key) => objectOf(each)[key], values)
}

/** Version 1 has another folder, and keys that version 2 dropped. */
export function looksLikeV1(path: string, { values }: RctfConfig): boolean {
  return basename(path) === 'conf.d' || 'challengeProvider' in values || 'logoUrl' in values
}
