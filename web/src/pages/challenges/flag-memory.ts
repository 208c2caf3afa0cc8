import { readTab, writeTab } from '../../state/storage.ts'
import { createStore, type Store } from '../../state/store.ts'
import { freshTries, type Tries } from './tries.ts'

// What this tab knows of the flags that were sent, by challenge: it outlives the box and a reload, not the tab.

const KEY = 'pennant.flags'
const MOST_WRONG = 50
const MOST_CHALLENGES = 200

interface FlagMemory {
  readonly tries: Tries
  /** Flags that were refused, newest last. */
  readonly wrong: readonly string[]
}

const blank: FlagMemory = { tries: freshTries, wrong: [] }
const memories: Store<ReadonlyMap<string, FlagMemory>> = createStore(stored())

function stored(): ReadonlyMap<string, FlagMemory> {
  try {
    const entries: unknown = JSON.parse(readTab(KEY) ?? '[]')
    return new Map(Array.isArray(entries) ? (entries as [string, FlagMemory][]) : [])
  } catch {
    return new Map()
  }
}

export const flagMemories = memories

export function memoryOf(all: ReadonlyMap<string, FlagMemory>, challengeId: string): FlagMemory {
  return all.get(challengeId) ?? blank
}

export function keepTries(challengeId: string, tries: Tries): void {
  keep(challengeId, { tries })
}

export function keepWrong(challengeId: string, flag: string): void {
  const others = memoryOf(memories.read(), challengeId).wrong.filter((each) => each !== flag)
  keep(challengeId, { wrong: [...others, flag].slice(-MOST_WRONG) })
}

function keep(challengeId: string, changes: Partial<FlagMemory>): void {
  const next = new Map(memories.read())
  const memory = { ...memoryOf(next, challengeId), ...changes }
  next.delete(challengeId)
  next.set(challengeId, memory)
  const [oldest] = next.keys()
  if (next.size > MOST_CHALLENGES && oldest !== undefined) next.delete(oldest)
  memories.set(next)
  writeTab(KEY, JSON.stringify([...next]))
}
