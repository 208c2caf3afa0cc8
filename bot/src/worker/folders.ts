import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'pennant-bot-'

/**
 * Creates this worker's folder, which has a subfolder per visit. The name contains the process id, so that
 * other workers can tell whether its owner still runs.
 */
export async function makeWorkerFolder({ isShared }: { readonly isShared: boolean }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // Visit users may enter it, but not list it.
  if (isShared) await chmod(folder, 0o711)
  return folder
}

/** Removes the folders of killed workers. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const id = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (id !== undefined && !isAlive(Number(id))) await removeFolder(join(tmpdir(), name))
  }
}

/** A process that is exiting may still write into it. */
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
