import { readdir, readFile } from 'node:fs/promises'
import { VISIT_VARIABLE } from '../protocol.ts'

// Chromium's processes leave their process group, session and parent: crash handlers fork twice, renderers
// have namespaces of their own. All of them keep their initial environment, and share a session with a
// process that does.

/** Maximum number of scans; usually the processes are gone at the second. */
const MAX_SCANS = 100
const SCAN_AGAIN_MS = 20

/**
 * Identifies the processes: by a user id that only this visit has, or by the variable in their environment.
 */
export interface ProcessOwner {
  readonly visit: string
  readonly user: number | null
}

interface Process {
  readonly id: number
  readonly session: number
}

/** All running processes of a visit. Without /proc it finds none. */
export async function findProcesses({ visit, user }: ProcessOwner): Promise<{ readonly id: number }[]> {
  const ids = await processIds()
  if (user !== null) {
    const own = await Promise.all(ids.map((id) => isOf(user, id)))
    return ids.flatMap((id, index) => (own[index] === true ? [{ id }] : []))
  }
  const all = (await Promise.all(ids.map(readProcess))).filter((one) => one !== null)
  const mark = `${VISIT_VARIABLE}=${visit}`
  const own = await Promise.all(all.map(async (one) => ((await hasMark(one.id, mark)) ? [one] : [])))
  const sessions = new Set(own.flat().map(({ session }) => session))
  return all.filter(({ session }) => sessions.has(session))
}

/** False for a process that is gone or a zombie. */
async function isOf(user: number, id: number): Promise<boolean> {
  const status = await readText(`/proc/${id}/status`)
  return new RegExp(`^Uid:\\t${user}\\t`, 'm').test(status) && !/^State:\tZ/m.test(status)
}

/** Kills all processes of a visit. Returns whether none is left. */
export async function endProcesses(owner: ProcessOwner): Promise<boolean> {
  for (let scan = 0; scan < MAX_SCANS; scan += 1) {
    const left = await findProcesses(owner)
    if (left.length === 0) return true
    for (const { id } of left) killNow(id)
    await new Promise((resolve) => setTimeout(resolve, SCAN_AGAIN_MS))
  }
  return false
}

export function killNow(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Private memory of the visit's processes, in bytes. */
export async function measureMemory(owner: ProcessOwner): Promise<number> {
  const sizes = (await findProcesses(owner)).map(async ({ id }) => {
    const status = await readText(`/proc/${id}/status`)
    const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) =>
      Number(size),
    )
    return kibibytes.reduce((sum, size) => sum + size, 0) * 1024
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Null for a process that is gone or a zombie. */
async function readProcess(id: number): Promise<Process | null> {
  // The name in parentheses may contain anything; after it come state, parent, group and session.
  const [state, , , session] = (await readText(`/proc/${id}/stat`)).replace(/^.*\) /s, '').split(' ')
  return session === undefined || state === 'Z' ? null : { id, session: Number(session) }
}

async function hasMark(id: number, mark: string): Promise<boolean> {
  return (await readText(`/proc/${id}/environ`)).split('\0').includes(mark)
}

/** Empty when unreadable: the process is gone or not ours. */
async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}
