import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'pennant-bot-'

/** A folder of this worker's, in which each visit has its own. Named by the process, so that others know whose it was. */
export async function makeWorkerFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Removes what workers left that were killed. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const id = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (id !== undefined && !isAlive(Number(id))) await removeFolder(join(tmpdir(), name))
  }
}

/** A process that is ending may still write into it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
