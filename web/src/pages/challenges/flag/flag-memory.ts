import { readTab, writeTab } from '../../../state/storage.ts'
import { createStore, type Store } from '../../../state/store.ts'
import { freshTries, type Tries } from './tries.ts'

/**
 * Unsubmitted flags by challenge, in memory for the lifetime of the page, so that leaving the box loses
 * nothing.
 */
const drafts = new Map<string, string>()
const MAX_KEPT = 100

// Submitted flags by challenge, in session storage: survives unmounting and reloads, but not closing the tab.

const KEY = 'pennant.flags'
const MAX_WRONG = 50
const MAX_CHALLENGES = 200

interface FlagMemory {
  readonly tries: Tries
  /** Rejected flags, newest last. */
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

export function storeTries(challengeId: string, tries: Tries): void {
  keep(challengeId, { tries })
}

export function storeWrongFlag(challengeId: string, flag: string): void {
  const others = memoryOf(memories.read(), challengeId).wrong.filter((each) => each !== flag)
  keep(challengeId, { wrong: [...others, flag].slice(-MAX_WRONG) })
}

function keep(challengeId: string, changes: Partial<FlagMemory>): void {
  const next = new Map(memories.read())
  const memory = { ...memoryOf(next, challengeId), ...changes }
  next.delete(challengeId)
  next.set(challengeId, memory)
  const [oldest] = next.keys()
  if (next.size > MAX_CHALLENGES && oldest !== undefined) next.delete(oldest)
  memories.set(next)
  writeTab(KEY, JSON.stringify([...next]))
}

export function draftOf(challengeId: string): string {
  return drafts.get(challengeId) ?? ''
}

export function storeDraft(challengeId: string, typed: string): void {
  drafts.delete(challengeId)
  if (typed !== '') drafts.set(challengeId, typed)
  const [oldest] = drafts.keys()
  if (drafts.size > MAX_KEPT && oldest !== undefined) drafts.delete(oldest)
}
