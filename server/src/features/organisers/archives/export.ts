import { Readable } from 'node:stream'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import type { FileEntry } from '../../../world/model.ts'
import type { ReadableChallenge } from '../../contest/challenges/readable.ts'
import { storedValue, uploadKeyOf, type StoredParts } from './stored-value.ts'
import type { ChallengeValue, FileValue } from './value.ts'
import { writeFolders, type WrittenFile } from './write-folders.ts'
import type { StoredContent } from './write-zip.ts'

export interface MissingFile {
  readonly challenge: string
  readonly name: string
}

export type ExportedFiles =
  | { readonly files: readonly WrittenFile<StoredContent>[] }
  | { readonly missing: readonly MissingFile[] }

/** Limits concurrent lookups, because each may be a request to a bucket. */
const MAX_FINDS = 16

/** The files of an archive of these challenges, or those that the store does not have. */
export async function exportFiles(
  uploads: Uploads,
  { challenges, ...parts }: StoredParts & { readonly challenges: readonly ReadableChallenge[] },
): Promise<ExportedFiles> {
  const total = challenges.reduce((sum, { files }) => sum + files.length, 0)
  const inTurn = createSemaphore({ slots: MAX_FINDS, maxQueue: total })
  const missing: MissingFile[] = []
  const values = await Promise.all(
    challenges.map(async (row): Promise<ChallengeValue<StoredContent>> => {
      const files = await Promise.all(row.files.map((file) => inTurn(() => fileOf(uploads, file))))
      for (const [at, file] of files.entries())
        if (file === null) missing.push({ challenge: row.id, name: row.files[at]?.name ?? '' })
      const value = storedValue(row, parts)
      // The wave decides it, also where the archive is imported.
      const releaseTime = value.wave === null ? value.releaseTime : undefined
      return { ...value, releaseTime, files: files.filter((file) => file !== null) }
    }),
  )
  if (missing.length > 0) return { missing }
  const written: WrittenFile<StoredContent>[] = []
  for await (const file of writeFolders(values)) written.push(file)
  return { files: written }
}

/** Null if the file was uploaded here and the store does not have it any more. */
async function fileOf(uploads: Uploads, file: FileEntry): Promise<FileValue<StoredContent> | null> {
  const { name, url, size } = file
  const elsewhere = { name, url, size: size ?? null }
  const uploaded = uploadKeyOf(file)
  if (!uploaded) return elsewhere
  const key = `${uploaded.sha256}/${uploaded.name}`
  const found = await uploads.find(key)
  const isOwn = url.startsWith('/uploads/') || found?.url === url
  if (!isOwn) return elsewhere
  const { contents } = uploads
  if (!found || !contents) return null
  const open = async () => {
    const content = await contents.open(key)
    if (!content) throw new Error('a file was removed while it was exported')
    return Readable.from(content)
  }
  return { name, local: { size: found.size, open } }
}
