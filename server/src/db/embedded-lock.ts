import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const LOCK = 'postmaster.pid'
const SOCKET_LOCK = '.s.PGSQL.5432.lock'

/** What the lock file of a database says, and whether that process is the database's. */
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

/** Whether that process is a living server of this folder. */
export function isServing(pid: number, folder: string): Promise<boolean> {
  return existsSync('/proc/self') ? isPostgresIn(pid, folder) : isPostgres(pid)
}

/**
 * PostgreSQL takes any living process with that number for a server, also a zombie or, in containers, a stranger
 * that got the same number. Its own check of shared memory still keeps two servers from one folder.
 */
export async function removeStaleLock(folder: string, judged: Lock): Promise<void> {
  if (judged.isOurs || judged.pid !== (await readLock(folder)).pid) return
  await rm(join(folder, LOCK), { force: true })
  await rm(join(folder, SOCKET_LOCK), { force: true })
}

/** A postgres whose current folder is this one. A zombie has none. */
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
