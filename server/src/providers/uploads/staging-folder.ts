import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a killed process left half-written is removed after this time; no upload takes as long. */
const STALE_MS = 24 * 60 * 60 * 1000

/** A folder for files on their way, rid of what an earlier process left there. */
export async function openStagingFolder(path: string, now: number): Promise<string> {
  await mkdir(path, { recursive: true })
  for (const name of await readdir(path)) {
    const left = join(path, name)
    // Another process may remove it first.
    const found = await stat(left).catch(() => null)
    if (found && found.mtimeMs < now - STALE_MS) await rm(left, { force: true })
  }
  return path
}
