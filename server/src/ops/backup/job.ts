import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readLastBackup, recordBackup, recordFailedBackup } from '../../db/backups.ts'
import type { Database } from '../../db/database.ts'
import { makeOwnedFolder } from '../../lib/folder-owner.ts'
import type { Log } from '../../lib/log.ts'
import type { BackupStore } from '../../providers/backups/backups.ts'
import { createBackup, type BackupReport, type BackupSource } from './create.ts'
import type { Encryption } from './encryption.ts'
import { backupName, oldBackups, removeOldBackups } from './names.ts'

export interface ScheduledBackups {
  readonly db: Database
  readonly log: Log
  readonly now: () => number
  readonly everyMs: number
  readonly retention: number
  readonly folder: string
  /** Read for each backup, because it may come from a file. */
  readonly encryption: () => Promise<Encryption | null>
  /** Read for each backup as well. */
  readonly signingKey: () => Promise<KeyObject | null>
  /** Keeps copies elsewhere; null without one. */
  readonly store: BackupStore | null
  readonly source: Omit<BackupSource, 'client'>
}

/** How often to look whether a backup is due, also one that a command made meanwhile. */
const LOOK_EVERY_MS = 30_000

interface Made {
  readonly at: number
  readonly path: string
  readonly bytes: number
  readonly snapshotAt: string
  readonly files: BackupReport['files']
}

/**
 * Makes a backup whenever the last good one is older than the interval, and copies it to the store. Only a copied one is good.
 * The worker's lease and its one run at a time prevent two at once; a process that loses the lease stops writing.
 */
export function backupJob(options: ScheduledBackups) {
  const { db, log, now, everyMs, folder, retention, store } = options
  /** An archive that could not be copied yet: the next run tries again instead of making another. */
  let uncopied: Made | null = null

  async function make(signal: AbortSignal): Promise<Made> {
    await makeOwnedFolder(folder, 0o700)
    const at = now()
    const [encryption, signingKey] = [await options.encryption(), await options.signingKey()]
    const path = join(folder, backupName(at, encryption))
    const { bytes, manifest, files } = await db.withClient((client) =>
      createBackup({ ...options.source, client }, { path, encryption, signingKey, signal }),
    )
    return { at, path, bytes, snapshotAt: manifest.snapshotAt, files }
  }

  async function makeIfDue(signal: AbortSignal): Promise<void> {
    const lastAt = await readLastBackup(db)
    if (lastAt !== null && now() - lastAt < everyMs) return
    const isReusable = uncopied && now() - uncopied.at < everyMs && existsSync(uncopied.path)
    const made: Made = isReusable && uncopied ? uncopied : await make(signal)
    uncopied = made
    for (const file of made.files) await store?.store(basename(file.path), file)
    const { path, bytes, snapshotAt } = made
    await recordBackup(db, { snapshotAt, bytes, path })
    uncopied = null
    const removed = await removeOldBackups(folder, retention, now())
    for (const name of store ? oldBackups(await store.names(), retention) : []) await store?.remove(name)
    log.info({ path, bytes, removed: removed.length, isCopied: store !== null }, 'made a backup')
  }

  return {
    name: 'backup',
    everyMs: Math.min(LOOK_EVERY_MS, everyMs),
    async run(signal: AbortSignal): Promise<void> {
      try {
        await makeIfDue(signal)
      } catch (error) {
        // Without a database, the dashboard does not work either.
        if (!signal.aborted) await recordFailedBackup(db, now()).catch(() => {})
        throw error
      }
    },
  }
}
