import { readdir, readFile } from 'node:fs/promises'
import { visitVariable } from '../protocol.ts'

// Chromium's processes leave the group, the session and the parent that they were started in: its crash handlers by
// forking twice, its renderers by a namespace of their own. What they all keep is the environment that they were started
// with, and the session of one that has it.

/** Processes that are gone by the next look are the rule. */
const LOOKS = 100
const LOOK_AGAIN_MS = 20

interface Process {
  readonly id: number
  readonly session: number
}

/** All that runs of a visit, by the mark in its environment. Without /proc none is found. */
export async function findProcesses(visit: string): Promise<Process[]> {
  const all = (await Promise.all((await processIds()).map(readProcess))).filter((one) => one !== null)
  const mark = `${visitVariable}=${visit}`
  const own = await Promise.all(all.map(async (one) => ((await hasMark(one.id, mark)) ? [one] : [])))
  const sessions = new Set(own.flat().map(({ session }) => session))
  return all.filter(({ session }) => sessions.has(session))
}

/** Ends all processes of a visit for good. Whether none is left. */
export async function endProcesses(visit: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const left = await findProcesses(visit)
    if (left.length === 0) return true
    for (const { id } of left) killNow(id)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  return false
}

export function killNow(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** What the visit's processes hold of memory that is theirs alone, in bytes. */
export async function measureMemory(visit: string): Promise<number> {
  const sizes = (await findProcesses(visit)).map(async ({ id }) => {
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

/** Null for one that is gone, or that only waits for its parent to take notice. */
async function readProcess(id: number): Promise<Process | null> {
  // The name in brackets may hold anything; behind it come state, parent, group, session.
  const [state, , , session] = (await readText(`/proc/${id}/stat`)).replace(/^.*\) /s, '').split(' ')
  return session === undefined || state === 'Z' ? null : { id, session: Number(session) }
}

async function hasMark(id: number, mark: string): Promise<boolean> {
  return (await readText(`/proc/${id}/environ`)).split('\0').includes(mark)
}

/** Empty when it cannot be read: it is gone, or not ours. */
async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}
