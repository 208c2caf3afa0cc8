import type { Queries } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { USE_MS, writeUse } from './store.ts'

/** Records when and from where a token was last used. */
export type RecordUse = (tokenId: string, ip: string) => void

/** Tokens whose last use is remembered. One that is forgotten is written once more. */
const MAX_KNOWN = 10_000

/** Writes at most once a minute for each token, and lets no request wait. */
export function createUseRecorder({
  db,
  now,
  log,
}: {
  readonly db: Queries
  readonly now: () => number
  readonly log: Log
}): RecordUse {
  const written = new Map<string, number>()
  return (id, ip) => {
    const at = now()
    if (at < (written.get(id) ?? -Infinity) + USE_MS) return
    if (written.size >= MAX_KNOWN) written.clear()
    written.set(id, at)
    writeUse(db, { id, ip, at }).catch((error: unknown) => {
      log.warn({ err: error }, 'could not store the last use of an API token')
    })
  }
}
