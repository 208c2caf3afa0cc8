import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Encryption } from './encryption.ts'

const NAME = /^pennant-[\dTZ-]+\.tar(?:\.enc|\.age)?$/
const PARTIAL = /^pennant-[\dTZ-]+\.tar(?:\.enc|\.age)?\.[\da-f-]{36}\.partial$/
/** A partial file that is older belongs to a process that was killed. */
const STALE_MS = 86_400_000

/** A file name that sorts by time: `pennant-2027-03-05T18-00-00Z.tar`. */
export function backupName(at: number, encryption: Encryption | null): string {
  const time = new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return `pennant-${time}.tar${encryption === null ? '' : encryption.kind === 'passphrase' ? '.enc' : '.age'}`
}

/** Names of archives without the newest ones, newest first. Other names are left out. */
export function oldArchives(names: readonly string[], keep: number): string[] {
  return archivesIn(names).slice(keep)
}

/** Names of archives, newest first. */
export function archivesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

/** Deletes all but the newest archives of a folder, and partial files of killed processes. Other files stay. */
export async function removeOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  const names = await readdir(folder)
  const old = oldArchives(names, keep)
  for (const name of names.filter((each) => PARTIAL.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && found.mtimeMs < now - STALE_MS) old.push(name)
  }
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}
