import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { makeOwnedFolder } from '../../lib/folder-owner.ts'

/** Partial files of a killed process are removed after this time; no upload takes as long. */
const STALE_MS = DAY_MS

/** Creates a folder for files in progress and removes those that an earlier process left. */
export async function openStagingFolder(path: string, now: number): Promise<string> {
  await makeOwnedFolder(path)
  for (const name of await readdir(path)) {
    const left = join(path, name)
    // Another process may remove it first.
    const found = await stat(left).catch(() => null)
    if (found && found.mtimeMs < now - STALE_MS) await rm(left, { force: true })
  }
  return path
}
