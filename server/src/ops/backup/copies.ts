import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../../lib/errors.ts'
import { giveToFolderOwner } from '../../lib/folder-owner.ts'
import { signaturePath } from '../../lib/ssh-signature.ts'
import type { BackupStore } from '../../providers/backups/backups.ts'
import type { BackupReport } from './create.ts'
import { archivesIn } from './names.ts'

// Copies of archives in a store, for the commands: every failure is a StartError.

/** Names listed when the wanted archive is missing. */
const SHOWN_NAMES = 5

export async function copyArchive(store: BackupStore, files: BackupReport['files']): Promise<void> {
  for (const file of files) {
    await store.store(basename(file.path), file).catch((cause: Error) => {
      throw new StartError(`The archive could not be copied: ${cause.message}`, { cause })
    })
  }
}

/** Downloads an archive, and its signature if it has one, into new files. */
export async function downloadArchive(store: BackupStore, name: string, path: string): Promise<void> {
  try {
    if (!(await download(store, name, path))) {
      const newest = archivesIn(await store.names()).slice(0, SHOWN_NAMES)
      throw new StartError(`The store has no ${name}. Its newest archives: ${newest.join(', ') || 'none'}.`)
    }
    await download(store, signaturePath(name), signaturePath(path)).catch(async (error: unknown) => {
      await rm(path)
      throw error
    })
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The archive could not be downloaded: ${(error as Error).message}`, { cause: error })
  }
}

/** False if the store has no such object. */
async function download(store: BackupStore, name: string, path: string): Promise<boolean> {
  const bytes = await store.open(name)
  if (bytes === null) return false
  try {
    await pipeline(Readable.from(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    await giveToFolderOwner(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StartError(`${path} already exists. Restore it without --from-store, or remove it.`)
    await rm(path, { force: true })
    throw error
  }
}
