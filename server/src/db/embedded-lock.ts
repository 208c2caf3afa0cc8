import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'node:net'
import { promisify } from 'node:util'

const LOCK = 'postmaster.pid'
const SOCKET_LOCK = '.s.PGSQL.5432.lock'

/** The process in the lock file of a database, and whether it is a server of that database. */
export interface Lock {
  readonly pid: number | null
  readonly isOurs: boolean
}

export async function readLock(folder: string): Promise<Lock> {
  const text = await readFile(join(folder, LOCK), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  if (!(pid > 0)) return { pid: null, isOurs: false }
  return { pid, isOurs: await isServing(pid, folder) }
}

/** Whether the process is alive and a server of this folder. */
export function isServing(pid: number, folder: string): Promise<boolean> {
  return existsSync('/proc/self') ? isPostgresIn(pid, folder) : isPostgres(pid)
}

/**
 * PostgreSQL mistakes any process with the recorded pid for a server: a zombie or, in containers, an unrelated process
 * with the same pid. Its own check of shared memory still prevents two servers on one folder.
 */
export async function removeStaleLock(folder: string, lock: Lock): Promise<void> {
  if (lock.isOurs || lock.pid !== (await readLock(folder)).pid) return
  await rm(join(folder, LOCK), { force: true })
  await rm(join(folder, SOCKET_LOCK), { force: true })
}

/**
 * Lets one process at a time start the server of a folder; null while another one holds the lock. Otherwise two processes that find
 * the lock file of a dead server could each remove the file of the other's new one, which no one could connect to then. The
 * lock is an abstract socket address, which the kernel releases with its process. Only Linux has those; elsewhere it always succeeds.
 */
export async function lockStart(folder: string): Promise<(() => Promise<void>) | null> {
  if (process.platform !== 'linux') return async () => {}
  const { dev, ino } = await stat(folder)
  const server = createServer((socket) => socket.destroy())
  server.unref()
  return await new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(`\0pennant-database-start-${dev}-${ino}`, () =>
      resolve(() => new Promise((released) => server.close(() => released()))),
    )
  })
}

/** Whether it is a postgres process whose working directory is this folder. A zombie has none. */
async function isPostgresIn(pid: number, folder: string): Promise<boolean> {
  try {
    const [name, current, ours] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      stat(`/proc/${pid}/cwd/.`),
      stat(folder),
    ])
    return name.trim() === 'postgres' && current.ino === ours.ino && current.dev === ours.dev
  } catch {
    return false
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  const listed = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => null)
  return listed?.stdout.trim().endsWith('postgres') ?? false
}
