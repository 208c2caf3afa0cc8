import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLastBackup, recordBackup } from '../db/backups.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { createBackup, type BackupSource } from './create.ts'
import { backupName, removeOldBackups } from './names.ts'
import { readPassphraseFile } from './passphrase.ts'

export interface ScheduledBackups {
  readonly db: Database
  readonly log: Log
  readonly now: () => number
  readonly everyMs: number
  readonly retention: number
  readonly folder: string
  readonly passphraseFile: string | null
  readonly source: Omit<BackupSource, 'client'>
}

/** How often to look whether a backup is due, also one that a command made meanwhile. */
const LOOK_EVERY_MS = 30_000

/**
 * Makes a backup whenever the last good one is older than the interval. The worker's lease and its one run at a time prevent
 * two at once; a process that loses the lease stops writing.
 */
export function backupJob(options: ScheduledBackups) {
  const { db, log, now, everyMs, folder, retention } = options
  return {
    name: 'backup',
    everyMs: Math.min(LOOK_EVERY_MS, everyMs),
    async run(signal: AbortSignal): Promise<void> {
      const lastAt = await readLastBackup(db)
      if (lastAt !== null && now() - lastAt < everyMs) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const passphrase =
        options.passphraseFile === null ? null : await readPassphraseFile(options.passphraseFile)
      const path = join(folder, backupName({ at: now(), isEncrypted: passphrase !== null }))
      const { bytes, manifest } = await db.withClient((client) =>
        createBackup({ ...options.source, client }, { path, passphrase, signal }),
      )
      await recordBackup(db, { snapshotAt: manifest.snapshotAt, bytes, path })
      const removed = await removeOldBackups(folder, retention, now())
      log.info({ path, bytes, removed: removed.length }, 'made a backup')
    },
  }
}
