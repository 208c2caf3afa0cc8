import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { access, open, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { StartError } from '../../lib/errors.ts'
import { isJunk } from '../../features/organisers/archives/junk.ts'
import { MAX_ENTRIES, MAX_PATH_LENGTH } from '../../features/organisers/archives/limits.ts'
import type { FileState, FolderTree } from '../../features/organisers/archives/folder-tree.ts'

/**
 * A folder on disk, and files that were generated for it in memory. Of the repository around it, and behind links, it
 * has the files that `find` was asked for.
 */
export interface DiskTree extends FolderTree {
  /** The absolute path of the folder. */
  readonly root: string
  readonly above: readonly string[]
  readonly find: (path: string) => Promise<FileState>
  /** Adds a file, or replaces one. */
  add(path: string, content: Buffer): void
  open(path: string): Readable
  sha256(path: string): Promise<string>
}

/** Folders that no challenge consists of. Those of version control have secrets of builds too. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules'])

interface Scan {
  readonly root: string
  /** The folder of the repository, or the root. Nothing outside of it is read. */
  readonly repository: string
  readonly sizes: Map<string, number>
  /** Where files behind links and above the root are. */
  readonly places: Map<string, string>
}

/** Reads the names and sizes of all files below a folder, in the order of their paths. */
export async function readTree(folder: string): Promise<DiskTree> {
  const root = await realpath(folder).catch(() => folder)
  const scan: Scan = { root, repository: await repositoryOf(root), sizes: new Map(), places: new Map() }
  const links: string[] = []
  const folders = ['']
  let count = 0
  for (let index = 0; index < folders.length; index++) {
    const parent = folders[index] ?? ''
    for (const entry of await namesIn(root, parent)) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`
      if (path.length > MAX_PATH_LENGTH) throw new StartError(`${path}: the path is too long.`)
      if (++count > MAX_ENTRIES) throw new StartError(`${folder} has more than ${MAX_ENTRIES} entries.`)
      if (SKIPPED.has(entry.name) || isJunk(entry.name)) continue
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) scan.sizes.set(path, (await stat(join(root, path))).size)
      else if (entry.isSymbolicLink()) links.push(path)
    }
  }
  // A link to a folder is only followed for the paths that a document names.
  for (const path of links) await find(scan, path)
  const sizes = new Map([...scan.sizes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return treeOf({ ...scan, sizes })
}

async function namesIn(root: string, folder: string): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    const code = (error as { code?: string }).code
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such folder',
      ENOTDIR: 'it is a file, name its folder',
      EACCES: 'this user may not read it',
    }
    throw new StartError(`Could not read ${join(root, folder)}: ${reasons[code ?? ''] ?? code ?? 'unknown'}.`)
  }
}

/** The closest folder upwards with `.git`, or the folder itself. */
async function repositoryOf(root: string): Promise<string> {
  for (let folder = root; ; folder = dirname(folder)) {
    const isFound = await access(join(folder, '.git')).then(
      () => true,
      () => false,
    )
    if (isFound) return folder
    if (dirname(folder) === folder) return root
  }
}

async function find({ root, repository, sizes, places }: Scan, path: string): Promise<FileState> {
  const place = await realpath(join(root, path)).catch(() => null)
  if (place === null) return isInside(repository, join(root, path)) ? 'missing' : 'outside'
  if (!isInside(repository, place)) return 'outside'
  if (
    isJunk(path) ||
    relative(repository, place)
      .split(sep)
      .some((name) => SKIPPED.has(name))
  )
    return 'missing'
  const found = await stat(place).catch(() => null)
  if (found?.isDirectory()) return 'folder'
  if (!found?.isFile()) return 'missing'
  if (sizes.size >= MAX_ENTRIES) throw new StartError(`${root} has more than ${MAX_ENTRIES} entries.`)
  sizes.set(path, found.size)
  places.set(path, place)
  return 'file'
}

function isInside(repository: string, place: string): boolean {
  const path = relative(repository, place)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function foldersAbove({ root, repository }: Scan): string[] {
  const depth = relative(repository, root).split(sep).filter(Boolean).length
  return Array.from({ length: depth }, (_, index) => Array.from({ length: index + 1 }, () => '..').join('/'))
}

function treeOf(scan: Scan): DiskTree {
  const { root, sizes, places } = scan
  const generated = new Map<string, Buffer>()
  const hashes = new Map<string, string>()
  const placeOf = (path: string) => places.get(path) ?? join(root, path)

  function openFile(path: string): Readable {
    const content = generated.get(path)
    return content
      ? Readable.from([content])
      : // A link that replaced the file since is not followed.
        createReadStream(placeOf(path), {
          flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string,
        })
  }

  return {
    root,
    sizes,
    above: foldersAbove(scan),
    find: (path) => find(scan, path),
    add(path, content) {
      generated.set(path, content)
      sizes.set(path, content.length)
    },
    open: openFile,
    async read(path) {
      const content = generated.get(path)
      if (content) return { content }
      try {
        await using file = await open(placeOf(path), constants.O_RDONLY | constants.O_NOFOLLOW)
        return { content: await file.readFile() }
      } catch (error) {
        return { problem: `cannot be read: ${(error as { code?: string }).code}` }
      }
    },
    async sha256(path) {
      const known = hashes.get(path)
      if (known !== undefined) return known
      const hash = createHash('sha256')
      for await (const chunk of openFile(path)) hash.update(chunk as Buffer)
      const hex = hash.digest('hex')
      hashes.set(path, hex)
      return hex
    },
  }
}
