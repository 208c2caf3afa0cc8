import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from 'yaml'
import { StartError } from '../lib/errors.ts'
import { isValues, type Layer } from './layers.ts'
import { yamlSentence } from './yaml-sentences.ts'

const DEFAULT_FOLDER = './pennant.d'
const DEFAULT_FILE = './pennant.yaml'

/**
 * The configuration files, in ascending precedence: the named file or folder, else the default folder, else
 * the default file.
 */
export async function readConfigFiles(named: string | undefined): Promise<Layer[]> {
  if (named) {
    const kind = await kindOf(named)
    if (kind === null) throw new StartError(`PENNANT_CONFIG is set to ${named}, which does not exist`)
    return kind === 'folder' ? await readFolder(named) : [await readLayer(named)]
  }
  if ((await kindOf(DEFAULT_FOLDER)) === 'folder') return await readFolder(DEFAULT_FOLDER)
  if ((await kindOf(DEFAULT_FILE)) === 'file') return [await readLayer(DEFAULT_FILE)]
  return []
}

async function readFolder(folder: string): Promise<Layer[]> {
  const names = await readdir(folder).catch((error: unknown) => refuse(folder, error))
  const files = names.filter((name) => /\.(ya?ml|json)$/i.test(name) && !name.startsWith('.')).sort()
  return await Promise.all(files.map((name) => readLayer(join(folder, name))))
}

/** Throws a StartError if the file cannot be read. */
export async function readLayer(path: string): Promise<Layer> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => refuse(path, error))
  // Most deployments have no file, so the parser is loaded on demand. It parses JSON too. Uses the default
  // export: the package is CommonJS, and a bundle cannot resolve its named exports in a dynamic import.
  const { default: yaml } = await import('yaml')
  const document = yaml.parseDocument(text, { prettyErrors: true })
  const [mistake] = document.errors
  if (mistake) return { source: path, values: {}, problems: [`${path}: ${yamlSentence(mistake)}`] }
  const values = valuesIn(document)
  if (values === null)
    return {
      source: path,
      values: {},
      problems: [
        `${path}: an alias (*name) has no anchor (&name) before it, or aliases are nested too deeply`,
      ],
    }
  const line = (key: readonly string[]) => {
    const node = document.getIn(key, true)
    const start = yaml.isNode(node) ? node.range?.[0] : undefined
    return start === undefined ? null : text.slice(0, start).split('\n').length
  }
  if (isValues(values)) return { source: path, values, line }
  return { source: path, values: {}, problems: [`${path}: must be a map of keys to values`] }
}

/** Null for a document whose aliases make it far larger than its text. */
function valuesIn(document: Document): unknown {
  try {
    return document.toJS() ?? {}
  } catch {
    return null
  }
}

export async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (isMissing(error)) return null
    return refuse(path, error)
  }
}

function refuse(path: string, error: unknown): never {
  throw new StartError(
    `${path}: cannot be read (${error instanceof Error ? firstLine(error.message) : 'unknown'})`,
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/:$/, '') ?? ''
}
