import { Readable } from 'node:stream'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import type { FileEntry, WorldView } from '../../../world/model.ts'
import type { ReadableChallenge } from '../../contest/challenges/readable.ts'
import type { AnyArchiveKind } from '../../contest/kinds/archive-kind.ts'
import { storedValue, uploadKeyOf } from './stored-value.ts'
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

interface Exported {
  readonly challenges: readonly ReadableChallenge[]
  readonly archives: readonly AnyArchiveKind[]
  readonly world: WorldView
}

/** The files of an archive of these challenges, or those that the store does not have. */
export async function exportFiles(
  uploads: Uploads,
  { challenges, archives, world }: Exported,
): Promise<ExportedFiles> {
  const total = challenges.reduce((sum, { files }) => sum + files.length, 0)
  const inTurn = createSemaphore({ slots: MAX_FINDS, maxQueue: total })
  const beside = archives.map((kind) => ({ ...kind, valueOf: kind.stored(world) }))
  const missing: MissingFile[] = []
  const values = await Promise.all(
    challenges.map(async (row): Promise<ChallengeValue<StoredContent>> => {
      const files = await Promise.all(row.files.map((file) => inTurn(() => fileOf(uploads, file))))
      for (const [at, file] of files.entries())
        if (file === null) missing.push({ challenge: row.id, name: row.files[at]?.name ?? '' })
      const value: ChallengeValue = storedValue(row, beside)
      const decided = beside.flatMap(({ field, decides }) => decides?.(value[field])?.field ?? [])
      const left = Object.fromEntries(decided.map((field) => [field, undefined]))
      return { ...value, ...left, files: files.filter((file) => file !== null) }
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
