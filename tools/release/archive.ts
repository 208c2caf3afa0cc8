import { once } from 'node:events'
import { createReadStream, createWriteStream, lstatSync, readdirSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'

// Archives of which equal contents are equal bytes: sorted entries, one time, no names of users. The same version of
// Node is needed for equal compression.

export type ArchiveEntry = EntryHeader &
  (
    | { readonly content: Buffer | string }
    /** Path of a file to copy. */
    | { readonly file: string }
    /** Target of a symbolic link. */
    | { readonly link: string }
    | { readonly folder: true }
  )

interface EntryHeader {
  /** In the archive, with `/` and without a leading one. */
  readonly path: string
  /** By default 0644 for files, and 0755 for folders and executable files on the disk. */
  readonly mode?: number
  /** Owner and group; by default root. */
  readonly uid?: number
  readonly gid?: number
}

/** Writes the archive, compressed if the name ends in `gz`. */
export async function writeArchive(
  file: string,
  entries: readonly ArchiveEntry[],
  time: Date,
): Promise<void> {
  const tar = tarOf(entries, time)
  const out = createWriteStream(file)
  // The header of node:zlib has no time and no name.
  if (file.endsWith('gz')) await pipeline(tar, createGzip({ level: constants.Z_BEST_COMPRESSION }), out)
  else await pipeline(tar, out)
}

/** The uncompressed archive as a stream. */
export function tarOf(entries: readonly ArchiveEntry[], time: Date): Pack {
  const tar = pack()
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  addAll(tar, sorted, time).then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error as Error),
  )
  return tar
}

async function addAll(tar: Pack, entries: readonly ArchiveEntry[], mtime: Date): Promise<void> {
  let previous: string | undefined
  for (const entry of entries) {
    if (entry.path === previous) throw new Error(`the archive has two entries ${entry.path}`)
    previous = entry.path
    await add(tar, entry, mtime)
  }
}

async function add(tar: Pack, entry: ArchiveEntry, mtime: Date): Promise<void> {
  const { path, uid = 0, gid = 0 } = entry
  const header = { name: path, uid, gid, mtime, uname: '', gname: '' }
  if ('file' in entry) {
    const { size, mode } = lstatSync(entry.file)
    const sink = tar.entry({ ...header, size, mode: entry.mode ?? modeOf(mode) })
    for await (const chunk of createReadStream(entry.file)) if (!sink.write(chunk)) await once(sink, 'drain')
    sink.end(null)
    await once(sink, 'close')
    return
  }
  const content = 'content' in entry ? entry.content : ''
  const rest =
    'link' in entry
      ? ({ type: 'symlink', linkname: entry.link, mode: 0o777 } as const)
      : 'folder' in entry
        ? ({ type: 'directory', mode: entry.mode ?? 0o755 } as const)
        : ({ type: 'file', mode: entry.mode ?? 0o644 } as const)
  await new Promise<void>((resolve, reject) => {
    tar.entry({ ...header, ...rest }, content, (error) => (error ? reject(error) : resolve()))
  })
}

/** Whether a file is executable is all that counts of its mode, which depends on the umask. */
function modeOf(mode: number): number {
  return (mode & 0o100) === 0 ? 0o644 : 0o755
}

/** Files and links below a folder, whose paths begin with `prefix`. `isWanted` decides by the path below the folder. */
export async function entriesOf(
  folder: string,
  prefix: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path)
    const found = lstatSync(file)
    if (found.isDirectory() || !isWanted(path)) continue
    const to = { path: join(prefix, path) }
    entries.push(found.isSymbolicLink() ? { ...to, link: await readlink(file) } : { ...to, file })
  }
  return entries
}
