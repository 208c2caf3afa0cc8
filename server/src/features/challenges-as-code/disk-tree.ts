import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { StartError } from '../../lib/errors.ts'
import { MAX_ENTRIES, MAX_PATH_LENGTH } from '../challenge-archive/limits.ts'
import type { FolderTree } from '../challenge-archive/read-folders.ts'

/** A folder on disk, and files that were generated for it in memory. Links are not followed. */
export interface DiskTree extends FolderTree {
  /** Paths of symbolic links and special files, which are not read. */
  readonly links: ReadonlySet<string>
  /** Adds a file, or replaces one. */
  add(path: string, content: Buffer): void
  open(path: string): Readable
  sha256(path: string): Promise<string>
}

/** Folders that no challenge consists of. */
const SKIPPED = new Set(['.git', 'node_modules'])

/** Reads the names and sizes of all files below a folder, in the order of their paths. */
export async function readTree(root: string): Promise<DiskTree> {
  const sizes = new Map<string, number>()
  const links = new Set<string>()
  const folders = ['']
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await namesIn(root, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path.length > MAX_PATH_LENGTH) throw new StartError(`${path}: the path is too long.`)
      if (sizes.size + links.size + folders.length >= MAX_ENTRIES)
        throw new StartError(`${root} has more than ${MAX_ENTRIES} entries.`)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(path)
      } else if (entry.isFile()) sizes.set(path, (await stat(join(root, path))).size)
      else links.add(path)
    }
  }
  const sorted = new Map([...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return treeOf(root, sorted, links)
}

async function namesIn(root: string, folder: string) {
  try {
    return await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    const code = (error as { code?: string }).code
    const why = code === 'ENOENT' ? 'there is no such folder' : (code ?? 'it cannot be read')
    throw new StartError(`Could not read ${join(root, folder)}: ${why}.`)
  }
}

function treeOf(root: string, sizes: Map<string, number>, links: ReadonlySet<string>): DiskTree {
  const generated = new Map<string, Buffer>()
  const hashes = new Map<string, string>()

  function openFile(path: string): Readable {
    const content = generated.get(path)
    return content
      ? Readable.from([content])
      : // A link that replaced the file since is not followed.
        createReadStream(join(root, path), {
          flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string,
        })
  }

  return {
    sizes,
    links,
    add(path, content) {
      generated.set(path, content)
      sizes.set(path, content.length)
    },
    open: openFile,
    async read(path) {
      const content = generated.get(path)
      if (content) return { content }
      try {
        await using file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW)
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
