import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { extract, type Header } from 'tar-stream'
import type { ArchiveEntry } from '../archive.ts'

/** Files of an image by path, without a leading `/`. */
export type Tree = Map<string, TreeEntry>
export type TreeEntry = Pick<ArchiveEntry, 'mode' | 'uid' | 'gid'> &
  ({ readonly content: Buffer } | { readonly link: string } | { readonly folder: true })

/** As the kernel allows. */
const MAX_LINKS = 40

/** Reads an archive; `pathOf` decides the path in the tree, and null leaves the file out. Folders are left out. */
export async function readTar(stream: Readable, pathOf: (name: string) => string | null): Promise<Tree> {
  const tree: Tree = new Map()
  const reader = extract()
  stream.once('error', (error) => reader.destroy(error)).pipe(reader)
  for await (const entry of reader) {
    const { name, type, linkname } = entry.header
    const path = type === 'directory' ? null : pathOf(name)
    const chunks: Buffer[] = []
    for await (const chunk of entry) if (path !== null) chunks.push(chunk as Buffer)
    if (path === null) continue
    if (type === 'symlink') tree.set(path, { link: linkname ?? '' })
    else if (type === 'link') tree.set(path, hardLink(tree, path, pathOf(linkname ?? '')))
    else if (type === 'file') tree.set(path, { content: Buffer.concat(chunks), mode: modeOf(entry.header) })
    else throw new Error(`${name} is a ${type}: images have files, folders and links`)
  }
  return tree
}

function hardLink(tree: Tree, path: string, target: string | null): TreeEntry {
  const entry = target === null ? undefined : tree.get(target)
  if (!entry) throw new Error(`${path} is a link to ${target}, which does not precede it`)
  return entry
}

/** No program of an image may change its user. */
function modeOf({ mode }: Header): number {
  return ((mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755
}

/** Debian's packages still name folders that became links. */
export function canonical(path: string): string {
  return posix
    .normalize(path)
    .replace(/^\//, '')
    .replace(/^(bin|sbin|lib|lib64)\//, 'usr/$1/')
}

/** Follows links: returns every path from the first to the file; null if it does not exist. */
export function followLinks(tree: ReadonlyMap<string, TreeEntry>, path: string): string[] | null {
  const paths = [path]
  for (let at = path; paths.length <= MAX_LINKS;) {
    const entry = tree.get(at)
    if (!entry) return null
    if (!('link' in entry)) return paths
    at = canonical(posix.isAbsolute(entry.link) ? entry.link : posix.join(posix.dirname(at), entry.link))
    paths.push(at)
  }
  throw new Error(`${path} is a link to itself`)
}

/** A file that the release writes itself. */
export function file(text: string, mode = 0o644): TreeEntry {
  return { content: Buffer.from(text), mode }
}

/** With entries of the folders above them, which an engine would otherwise create at the time of its choice. */
export function withFolders(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const all = new Map(entries.map((entry) => [entry.path, entry]))
  for (const { path } of entries)
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at))
      if (!all.has(at)) all.set(at, { path: at, folder: true })
  return [...all.values()]
}

export function entriesOfTree(tree: ReadonlyMap<string, TreeEntry>): ArchiveEntry[] {
  return withFolders([...tree].map(([path, entry]) => ({ path, ...entry })))
}
