import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = /^pennant-[\dTZ-]+\.tar(?:\.enc)?$/
const PARTIAL = /^pennant-[\dTZ-]+\.tar(?:\.enc)?\.[\da-f-]{36}\.partial$/
/** A partial file that is older belongs to a process that was killed. */
const STALE_MS = 86_400_000

/** A file name that sorts by time: `pennant-2027-03-05T18-00-00Z.tar`. */
export function backupName({
  at,
  isEncrypted,
}: {
  readonly at: number
  readonly isEncrypted: boolean
}): string {
  const time = new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return `pennant-${time}.tar${isEncrypted ? '.enc' : ''}`
}

/** Deletes all but the newest archives of a folder, and partial files of killed processes. Other files stay. */
export async function removeOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  const names = await readdir(folder)
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .slice(keep)
  for (const name of names.filter((each) => PARTIAL.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && found.mtimeMs < now - STALE_MS) old.push(name)
  }
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}
