import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../../lib/errors.ts'
import { openZip, type ZipTree } from '../../features/organisers/archives/read-zip.ts'
import type { Site } from './site.ts'

/** The largest file of an export; four times as much in total. */
const MAX_FILE_BYTES = 4 * 1024 ** 3
const MAX_ARCHIVE_BYTES = 4 * MAX_FILE_BYTES

export interface Exported {
  readonly written: readonly string[]
  readonly unchanged: number
}

/** Writes all challenges of the site below a folder. Without `force`, a file with another content stops it. */
export async function exportTo(folder: string, site: Site, force: boolean): Promise<Exported> {
  const temporary = await mkdtemp(join(tmpdir(), 'pennant-export-'))
  try {
    const archive = join(temporary, 'challenges.zip')
    await download(await site.openExport(), archive)
    const opened = await openZip(archive, { maxFileBytes: MAX_FILE_BYTES })
    if ('problems' in opened) {
      const [problem] = opened.problems
      throw new StartError(`The export of the site is damaged: ${problem?.path} ${problem?.reason}`)
    }
    await using tree = opened.tree
    return await write(folder, tree, force)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function download(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  let left = MAX_ARCHIVE_BYTES
  await pipeline(
    Readable.fromWeb(body as never),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        left -= chunk.length
        if (left < 0) throw new StartError(`The export is larger than ${MAX_ARCHIVE_BYTES} bytes.`)
        yield chunk
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  )
}

async function write(folder: string, tree: ZipTree, force: boolean): Promise<Exported> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  const [toWrite, conflicts]: [string[], string[]] = [[], []]
  for (const path of tree.sizes.keys()) {
    const state = await compare(root, tree, path)
    if (state !== 'same') toWrite.push(path)
    if (state === 'different') conflicts.push(path)
  }
  if (conflicts.length > 0 && !force) {
    const names = conflicts.slice(0, 10).join(', ')
    throw new StartError(
      `${conflicts.length} files have another content: ${names}. Nothing was written; --force overwrites them.`,
    )
  }
  for (const path of toWrite) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await pipeline(await tree.open(path), createWriteStream(join(root, path)))
  }
  return { written: toWrite, unchanged: tree.sizes.size - toWrite.length }
}

/** Also refuses to write through a link that leads out of the folder. */
async function compare(root: string, tree: ZipTree, path: string): Promise<'new' | 'same' | 'different'> {
  const target = join(root, path)
  for (let parent = dirname(target); parent.length > root.length; parent = dirname(parent)) {
    const real = await realpath(parent).catch(() => null)
    if (real !== null && !`${real}${sep}`.startsWith(`${root}${sep}`))
      throw new StartError(`${parent} is a link that leads out of the folder.`)
  }
  const found = await lstat(target).catch(() => null)
  if (!found) return 'new'
  if (!found.isFile()) throw new StartError(`${target} is not a file.`)
  const digest = await tree.digest(path)
  if ('problem' in digest)
    throw new StartError(`The export of the site is damaged: ${path} ${digest.problem}`)
  if (found.size !== digest.size) return 'different'
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(target)) hash.update(chunk as Buffer)
  return hash.digest('hex') === digest.sha256 ? 'same' : 'different'
}
