import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { FileName } from '@pennant/contract/uploads.ts'
import type { StoredFile, Uploads } from '../../providers/uploads/uploads.ts'
import { openStaging, type HashedFile, type Staging } from '../../features/site/uploads/staging.ts'
import { keyOf } from '../../features/people/avatars/keys.ts'
import type { ImportedFile } from './contest.ts'
import type { Report } from './report.ts'

/** Larger than any handout; the sources have no limit of their own. */
const MAX_FILE_BYTES = 2 * 1024 ** 3
const MAX_TOTAL_BYTES = 64 * 1024 ** 3
const MAX_AVATAR_BYTES = 4 * 1024 * 1024

/** The files of the source on the disk of this server, by their number. */
export interface StagedFiles extends AsyncDisposable {
  readonly found: ReadonlyMap<number, HashedFile>
}

interface Collection {
  readonly stagingFolder: string
  readonly report: Report
  readonly onFile: (done: number) => void
}

/** Reads every file and checks its digest. Reports those that cannot be read. */
export async function collectFiles(
  files: readonly ImportedFile[],
  { stagingFolder, report, onFile }: Collection,
): Promise<StagedFiles> {
  const staging = openStaging(stagingFolder)
  const found = new Map<number, HashedFile>()
  let total = 0
  try {
    for (const [number, file] of files.entries()) {
      onFile(number)
      const staged = await stage(file, { staging, report })
      total += staged?.size ?? 0
      if (total > MAX_TOTAL_BYTES) {
        report.problem('files-size', `The files have more than ${MAX_TOTAL_BYTES} bytes.`)
        break
      }
      if (staged) found.set(number, staged)
    }
    return { found, [Symbol.asyncDispose]: () => staging[Symbol.asyncDispose]() }
  } catch (error) {
    await staging[Symbol.asyncDispose]()
    throw error
  }
}

async function stage(
  file: ImportedFile,
  { staging, report }: { readonly staging: Staging; readonly report: Report },
): Promise<HashedFile | null> {
  if (!file.open) {
    report.loss('file-links', 'Files are not copied: their links stay as they are.', file.link)
    return null
  }
  const isAvatar = file.key.kind === 'avatar'
  let staged: HashedFile
  try {
    const content = await file.open()
    staged = await staging.receive(limited(content, isAvatar ? MAX_AVATAR_BYTES : MAX_FILE_BYTES))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    report.loss(
      'missing-files',
      'Files of the source cannot be read; their links stay as they are.',
      `${file.link}: ${reason}`,
    )
    return null
  }
  if (file.sha256 !== null && file.sha256 !== staged.sha256) {
    report.loss(
      'changed-files',
      'Files differ from the digest in their address; they are not imported.',
      file.link,
    )
    return null
  }
  if (!isAvatar || (await isWebp(staged.path))) return staged
  report.loss('avatars', 'Avatars are no WebP pictures and are not imported.', file.link)
  return null
}

function limited(content: Readable, maxBytes: number): Readable {
  async function* counted() {
    let size = 0
    for await (const chunk of content) {
      size += (chunk as Buffer).length
      if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
      yield chunk as Buffer
    }
  }
  return Readable.from(counted(), { objectMode: false })
}

async function isWebp(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0)
  return buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WEBP'
}

interface Storage {
  readonly uploads: Pick<Uploads, 'find' | 'store'>
  readonly onFile: (done: number) => void
}

/** Stores the files under their digest. A failed import leaves them unreferenced, and a later one finds them. */
export async function storeFiles(
  files: readonly ImportedFile[],
  { found }: StagedFiles,
  { uploads, onFile }: Storage,
): Promise<ReadonlyMap<number, StoredFile>> {
  const stored = new Map<number, StoredFile>()
  for (const [number, { sha256, path, size }] of found) {
    onFile(stored.size)
    const file = files[number]
    if (!file) continue
    const key = file.key.kind === 'avatar' ? keyOf(file.key.teamId, sha256) : `${sha256}/${nameOf(file)}`
    stored.set(number, (await uploads.find(key)) ?? (await uploads.store(key, { path, size })))
  }
  return stored
}

function nameOf({ name }: ImportedFile): string {
  if (FileName.safeParse(name).success) return name
  const safe = name.replaceAll(/[/\\:\0]/g, '_').slice(-200)
  return FileName.safeParse(safe).success ? safe : 'file'
}
