import { draftsKey } from '../../state/session.ts'
import { readStored, writeStored } from '../../state/storage.ts'
import type { Draft } from './draft.ts'

const KEPT_MS = 7 * 86_400_000
/** The oldest give way: storage is small. */
const MOST_DRAFTS = 20

export interface StoredDraft {
  readonly id: string
  /** Unix milliseconds of this browser. */
  readonly at: number
  /** What it was begun from. */
  readonly base: Draft
  readonly draft: Draft
}

/** The work on a challenge that was not saved in this browser, of the last week; null when there is none. */
export function findDraft(id: string, now = Date.now()): StoredDraft | null {
  return readAll(now).find((stored) => stored.id === id) ?? null
}

export function keepDraft(stored: StoredDraft): void {
  const others = readAll(stored.at).filter(({ id }) => id !== stored.id)
  writeAll([stored, ...others].slice(0, MOST_DRAFTS))
}

export function dropDraft(id: string): void {
  const all = readAll(Date.now())
  const others = all.filter((stored) => stored.id !== id)
  if (others.length < all.length) writeAll(others)
}

function readAll(now: number): StoredDraft[] {
  try {
    const all: unknown = JSON.parse(readStored(draftsKey) ?? '[]')
    const drafts = Array.isArray(all) ? (all as StoredDraft[]) : []
    return drafts.filter(({ at }) => typeof at === 'number' && now - at < KEPT_MS)
  } catch {
    return []
  }
}

function writeAll(drafts: readonly StoredDraft[]): void {
  writeStored(draftsKey, drafts.length === 0 ? null : JSON.stringify(drafts))
}
