import { DAY_MS } from '@pennant/contract/durations.ts'
import { DRAFTS_KEY } from '../../../state/session.ts'
import { readStored, writeStored } from '../../../state/storage.ts'
import { NEW_DRAFT, type Draft } from '../draft.ts'

const KEPT_MS = 7 * DAY_MS
/** Browser storage is small, so the oldest drafts are evicted. */
const MAX_DRAFTS = 20

export interface StoredDraft {
  readonly id: string
  /** Unix milliseconds, browser clock. */
  readonly at: number
  /** The version that the draft is based on. */
  readonly base: Draft
  readonly draft: Draft
}

/** Returns the unsaved draft of a challenge in this browser, at most one week old; otherwise null. */
export function findDraft(id: string, now = Date.now()): StoredDraft | null {
  return readAll(now).find((stored) => stored.id === id) ?? null
}

export function storeDraft(stored: StoredDraft): void {
  const others = readAll(stored.at).filter(({ id }) => id !== stored.id)
  writeAll([stored, ...others].slice(0, MAX_DRAFTS))
}

export function dropDraft(id: string): void {
  const all = readAll(Date.now())
  const others = all.filter((stored) => stored.id !== id)
  if (others.length < all.length) writeAll(others)
}

function readAll(now: number): StoredDraft[] {
  try {
    const all: unknown = JSON.parse(readStored(DRAFTS_KEY) ?? '[]')
    const drafts = Array.isArray(all) ? (all as StoredDraft[]) : []
    return (
      drafts
        .filter(({ at }) => typeof at === 'number' && now - at < KEPT_MS)
        // Drafts of an earlier version lack fields.
        .map((stored) => ({
          ...stored,
          base: { ...NEW_DRAFT, ...stored.base },
          draft: { ...NEW_DRAFT, ...stored.draft },
        }))
    )
  } catch {
    return []
  }
}

function writeAll(drafts: readonly StoredDraft[]): void {
  writeStored(DRAFTS_KEY, drafts.length === 0 ? null : JSON.stringify(drafts))
}
