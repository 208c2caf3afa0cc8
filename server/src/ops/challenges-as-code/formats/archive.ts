import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { locate } from '../../../features/organisers/archives/locate.ts'
import { pathProblem } from '../../../features/organisers/archives/paths.ts'
import { pack, type PackedFile } from './pack.ts'
import { glob, isPattern } from './patterns.ts'
import type { Reader } from './reader.ts'
import { inFolder, type ForeignDocument } from './translation.ts'

/** What all archives of a folder may contain: they are made in memory. */
export const MAX_PACKED_BYTES = 512 * 1024 * 1024

/** Where generated archives are in the tree. No archive contains another one. */
const GENERATED = '.generated-archives'

type Report = (message: string) => void

/**
 * The files of the tree that an entry means: a file, everything below a folder, or what matches a pattern of Python's
 * `glob` in the folder `base`. `takesFolders` also takes everything below the folders that match.
 */
export async function filesOf(
  { tree }: ForeignDocument,
  {
    base,
    entry,
    takesFolders,
  }: { readonly base: string; readonly entry: string; readonly takesFolders: boolean },
): Promise<readonly string[] | { readonly problem: string }> {
  const parts = entry.replaceAll('\\', '/').split('/')
  const first = parts.findIndex(isPattern)
  const fixed = first === -1 ? parts : parts.slice(0, first)
  const root = posix.normalize(posix.join(base, ...fixed, '.')).replace(/\/$/, '')
  if (tree.sizes.has(root) && first === -1) return [root]
  const isInside = root !== '..' && !root.startsWith('../') && !entry.startsWith('/')
  const below = isInside ? pathsBelow(tree, root === '.' ? '' : root) : []
  if (first === -1) {
    if (below.length > 0) return below
    const found = await locate(tree, base, entry)
    return 'problem' in found ? found : [found.path]
  }
  if (!isInside) return { problem: 'a pattern cannot leave the folder that was given' }
  const { exact, below: isBelow } = glob(parts.slice(first).join('/'))
  const matches = takesFolders ? isBelow : exact
  return below.filter((path) => matches(root === '.' ? path : path.slice(root.length + 1)))
}

function pathsBelow({ sizes }: ForeignDocument['tree'], folder: string): string[] {
  const prefix = folder === '' ? '' : `${folder}/`
  return [...sizes.keys()].filter(
    (path) => path.startsWith(prefix) && !path.includes(`${GENERATED}/`) && !path.startsWith('../'),
  )
}

/** Reads files of the tree for an archive, within the limit for all archives. */
export async function readForArchive(
  { tree, project: { packing } }: ForeignDocument,
  files: readonly { readonly path: string; readonly name: string }[],
  report: Report,
): Promise<PackedFile[]> {
  const read: PackedFile[] = []
  for (const { path, name } of files) {
    packing.left -= tree.sizes.get(path) ?? 0
    if (packing.left < 0) {
      report(
        `all archives together have more than ${MAX_PACKED_BYTES} bytes: upload large files by themselves`,
      )
      return read
    }
    const content = await tree.read(path)
    if ('problem' in content) report(`${name} ${content.problem}`)
    else read.push({ path: name, content: content.content })
  }
  return read
}

/** Files whose content is in the document. */
export function additionalFiles(reader: Reader): PackedFile[] {
  return reader.items('additional').flatMap((item, index): PackedFile[] => {
    if (typeof item === 'string') {
      reader.report(`additional.${index}`, 'must be a map with path, and str or base64')
      return []
    }
    const first = (...names: readonly string[]) =>
      names.map((name) => item.string(name)).find((value) => value !== undefined)
    const path = first('path')?.replace(/^(?:\.\/)+/, '')
    const text = first('str', 'str_content')
    const encoded = first('base64', 'base64_content')
    const content = text === undefined ? encoded && Buffer.from(encoded, 'base64') : Buffer.from(text)
    const problem = path === undefined ? 'is missing' : pathProblem(path)
    if (problem !== null) item.report('path', problem)
    else if (content === undefined || content === '') item.report('str', 'is missing: write str or base64')
    else if (path !== undefined) return [{ path, content }]
    return []
  })
}

const ENDINGS = { tar_gz: '.tar.gz', zip: '.zip' } as const

interface Archive {
  /** With its ending, if the format does not add one. */
  readonly name: string
  readonly format: keyof typeof ENDINGS
  /** A later file replaces an earlier one with the same path. */
  readonly files: readonly PackedFile[]
}

/** Packs the files, and returns them as an entry of `files`. */
export async function addArchive({ tree, folder }: ForeignDocument, { name, format, files }: Archive) {
  const unique = new Map(files.map((file) => [file.path, file]))
  const content = await pack(format, [...unique.values()])
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const path = `${GENERATED}/${hash}/archive${ENDINGS[format]}`
  tree.add(inFolder(folder, path), content)
  return { path, name }
}
