import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { goodContestImportState } from '@pennant/contract/contest-import.ts'
import { UnavailableError } from '../../../lib/errors.ts'
import type { Markers } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'

/** The import that is running, as all replicas see it. */
export type RunningImport = NonNullable<z.input<typeof goodContestImportState.data>['running']>

const KEY = 'contest-import'
/** After a crash no one can import for this long. */
const TTL_MS = 30_000
const WRITE_EVERY_MS = 1000

export interface ImportClaim extends AsyncDisposable {
  /** Shown to other requests within a second. */
  update(change: Pick<RunningImport, 'step' | 'done' | 'total'>): void
}

/** Claims the right to import, which one request of all replicas has at a time; null if another one has it. */
export async function claimImport(
  { markers, log }: { readonly markers: Markers; readonly log: Log },
  first: RunningImport,
): Promise<ImportClaim | null> {
  let state = first
  // A process that stalled for longer than the claim lasts may find the claim of another import, and must not touch it.
  const isOwn = async () => {
    const found = await findRunningImport(markers)
    return found === null || (found.startedAt === first.startedAt && found.teamId === first.teamId)
  }
  const text = () => JSON.stringify(state)
  if (!(await markers.claim(KEY, text(), TTL_MS))) return null
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const timer = setInterval(() => {
    if (isWriting) return
    isWriting = true
    writing = isOwn()
      .then((own) => (own ? markers.set(KEY, text(), TTL_MS) : undefined))
      .catch((error: unknown) => log.warn({ err: error }, 'the progress of an import cannot be stored'))
      .finally(() => {
        isWriting = false
      })
  }, WRITE_EVERY_MS)
  return {
    update(change) {
      state = { ...state, ...change }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await writing
      if (await isOwn()) await markers.remove(KEY)
    },
  }
}

export async function findRunningImport(markers: Markers): Promise<RunningImport | null> {
  const text = await markers.find(KEY)
  return text === null ? null : (JSON.parse(text) as RunningImport)
}

/**
 * Deletes files that imports of crashed processes left. While another process imports, or while no one can tell because Redis is
 * unreachable, they stay, and the next import deletes what is left.
 */
export async function clearImports(
  folder: string,
  { markers, now }: { readonly markers: Markers; readonly now: () => number },
): Promise<void> {
  const before = now()
  const isIdle = await findRunningImport(markers).then(
    (running) => running === null,
    (error: unknown) => {
      if (error instanceof UnavailableError) return false
      throw error
    },
  )
  if (isIdle) await removeFiles(folder, before)
}

/** Deletes the files that are older than a time in Unix milliseconds. */
export async function removeFiles(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}
