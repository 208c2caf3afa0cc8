import { createHash, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Uploads } from '../../providers/uploads/uploads.ts'
import { failure, named, ok, unchecked, type Check } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'
import { databaseOf } from './database.ts'
import { isChecked } from './scope.ts'
import { plural } from '../../lib/plural.ts'

const MAX_FILES = 500
/** Larger files are only looked up, not read. */
const MAX_READ_BYTES = 64 * 1024 ** 2
const FILES_TIMEOUT_MS = 60_000
const KEY = /\/([0-9a-f]{64}\/[^/?#]+)(?:[?#]|$)/

async function roundTrip(uploads: Uploads): Promise<string | null> {
  const content = Buffer.from(`pennant doctor ${randomUUID()}`)
  const key = `${createHash('sha256').update(content).digest('hex')}/doctor.txt`
  await uploads.store(key, content)
  try {
    const found = await uploads.find(key)
    return found?.size === content.length ? null : 'the stored file was not found'
  } finally {
    await uploads.remove(key)
  }
}

/** The problem with a stored file, or null. */
async function problemOf(uploads: Uploads, key: string, signal: AbortSignal): Promise<string | null> {
  const found = await uploads.find(key)
  if (!found) return 'missing'
  if (!uploads.contents || found.size > MAX_READ_BYTES) return null
  const content = await uploads.contents.open(key)
  if (!content) return 'missing'
  const hash = createHash('sha256')
  for await (const part of content) {
    signal.throwIfAborted()
    hash.update(part)
  }
  return key.startsWith(`${hash.digest('hex')}/`) ? null : 'damaged'
}

export const uploadChecks: readonly Check[] = [
  {
    name: 'uploads',
    // The first start creates the folder.
    needsDatabase: true,
    async run({ uploads }) {
      const problem = await uploads()
        .then(roundTrip)
        .catch((error: unknown) => reasonOf(error))
      return problem === null
        ? ok()
        : failure(
            `A test upload failed: ${problem}.`,
            'Check `uploadProvider` and the permissions of its folder or bucket.',
          )
    },
  },
  {
    name: 'challenge-files',
    needsDatabase: true,
    timeoutMs: FILES_TIMEOUT_MS,
    async run(subject, signal) {
      const rows = await databaseOf(subject).query<{ url: string; name: string }>(sql`
        select distinct file ->> 'url' as url, file ->> 'name' as name
        from challenges c, jsonb_array_elements(c.files) file
        where ${isChecked(subject)} order by 1 limit ${MAX_FILES}`)
      const files = rows.flatMap(({ url, name }) => {
        const key = KEY.exec(url)?.[1]
        return key === undefined ? [] : [{ name, key: decodeURIComponent(key) }]
      })
      if (files.length === 0) return unchecked('No visible challenge has an uploaded file.')
      const uploads = await subject.uploads()
      const wrong: string[] = []
      for (const { name, key } of files) {
        signal.throwIfAborted()
        const problem = await problemOf(uploads, key, signal)
        if (problem !== null) wrong.push(`${name} (${problem})`)
      }
      return wrong.length === 0
        ? ok(`Read ${plural(files.length, 'file')}.`)
        : failure(`Files of challenges cannot be read: ${named(wrong)}.`, 'Upload them again.')
    },
  },
]
