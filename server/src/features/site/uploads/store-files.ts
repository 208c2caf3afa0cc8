import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Queries } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { StagedFile, Uploads } from '../../../providers/uploads/uploads.ts'

export interface FileStorage {
  readonly db: Queries
  readonly uploads: Uploads
  readonly log: Log
}

export interface NamedContent {
  readonly name: string
  readonly sha256: string
  readonly content: Buffer | StagedFile
  /** Where the server fetched it. */
  readonly source?: string
}

/** Returns null if the store failed; the error is logged. */
export async function storeAll(
  { db, uploads, log }: FileStorage,
  files: readonly NamedContent[],
  actor: ActionBy,
) {
  const stored: { name: string; url: string; size: number }[] = []
  const sources = files.flatMap(({ source }) => source ?? [])
  const keys = files.map(({ sha256, name }) => `${sha256}/${name}`)
  const change = loggedChange(null, { files: keys, ...(sources.length > 0 && { sources }) })
  // Before the store is called: a process that dies in between must not hide what it stored.
  await db.query(recordAdminAction({ ...actor, ...change, action: 'upload.store', target: null, keys }))
  try {
    for (const [at, { name, content }] of files.entries()) {
      const { url, size } = await uploads.store(keys[at] ?? '', content)
      stored.push({ name, url, size })
    }
  } catch (error) {
    log.error({ err: error }, 'could not store an upload')
    return null
  }
  return stored
}
