import { readStored, writeStored } from '../../../state/storage.ts'
import { createStore } from '../../../state/store.ts'

const KEY = 'pennant.list'

/** State of the list that this browser stores. */
interface ListMemory {
  /** The last chosen view as a query string; used if the URL contains none. */
  readonly view?: string
  /** Collapsed categories. */
  readonly folded?: readonly string[]
  /** Width of the list in pixels, if resizable. */
  readonly width?: number
  /** First-seen time per challenge, server clock; 0 if it was there on the first visit. */
  readonly seen?: Readonly<Record<string, number>>
}

export const listMemory = createStore<ListMemory>(stored())

function stored(): ListMemory {
  try {
    const value: unknown = JSON.parse(readStored(KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

export function updateListMemory(changes: ListMemory): void {
  const next = { ...listMemory.read(), ...changes }
  listMemory.set(next)
  writeStored(KEY, JSON.stringify(next))
}
