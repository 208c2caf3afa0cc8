import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Encryption } from './encryption.ts'

const NAME = /^(pennant-[\dTZ-]+\.tar(?:\.enc|\.age)?)(\.sig|)$/
const PARTIAL = /^pennant-[\dTZ-]+\.tar(?:\.enc|\.age)?\.[\da-f-]{36}\.partial$/
/** A partial file that is older belongs to a process that was killed. */
const STALE_MS = 86_400_000

/** A file name that sorts by time: `pennant-2027-03-05T18-00-00Z.tar`. */
export function backupName(at: number, encryption: Encryption | null): string {
  const time = new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return `pennant-${time}.tar${encryption === null ? '' : encryption.kind === 'passphrase' ? '.enc' : '.age'}`
}

/** Names of archives that are older than the newest `keep`, and of signatures of such. Other names are left out. */
export function oldBackups(names: readonly string[], keep: number): string[] {
  const oldest = archivesIn(names)[keep - 1]
  if (oldest === undefined) return []
  return names.filter((name) => (NAME.exec(name)?.[1] ?? oldest) < oldest)
}

/** Names of archives, newest first. */
export function archivesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => NAME.exec(name)?.[2] === '')
    .toSorted()
    .toReversed()
}

/** Deletes all but the newest archives of a folder and their signatures, and partial files of killed processes. Other files stay. */
export async function removeOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  const names = await readdir(folder)
  const old = oldBackups(names, keep)
  for (const name of names.filter((each) => PARTIAL.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && found.mtimeMs < now - STALE_MS) old.push(name)
  }
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}
