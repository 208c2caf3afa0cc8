import { readStored, writeStored } from '../../state/storage.ts'
import { createStore } from '../../state/store.ts'

const KEY = 'pennant.list'

/** What this browser keeps of the list. */
interface ListMemory {
  /** The view that was chosen last, as in the address; for addresses that say nothing. */
  readonly view?: string
  /** Categories whose groups are folded. */
  readonly folded?: readonly string[]
  /** Pixels, where there is room to choose. */
  readonly width?: number
  /** When each challenge appeared here, by the server's clock; 0: it was there at the first look. */
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

export function keepOfList(changes: ListMemory): void {
  const next = { ...listMemory.read(), ...changes }
  listMemory.set(next)
  writeStored(KEY, JSON.stringify(next))
}
