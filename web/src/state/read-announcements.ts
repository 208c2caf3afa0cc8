import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

const KEY = 'pennant.announcements'
/** As many as are shown, and those that were withdrawn meanwhile. */
const MAX_IDS = 500

const readIds = createStore<ReadonlySet<string>>(parsed(readStored(KEY)))

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY) readIds.set(parsed(newValue))
})

function parsed(text: string | null): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return new Set(Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

/** The announcements that were read in this browser. */
export function useReadAnnouncements(): ReadonlySet<string> {
  return useStore(readIds)
}

export function markRead(ids: readonly string[]): void {
  const known = readIds.read()
  const added = ids.filter((id) => !known.has(id))
  if (added.length === 0) return
  const next = [...known, ...added].slice(-MAX_IDS)
  writeStored(KEY, JSON.stringify(next))
  readIds.set(new Set(next))
}
