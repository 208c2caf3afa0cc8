import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { isAnythingDirty } from '../state/dirty.ts'
import { readTab, writeTab } from '../state/storage.ts'
import { createStore, useStore } from '../state/store.ts'

const KEY = 'pennant.reloaded'
/** If a chunk is missing again within this time, the reload did not help. */
const ONCE_IN_MS = MINUTE_MS

const outdated = createStore(false)

/** Whether the server has a new version and unsaved changes prevented the reload. */
export function useIsOutdated(): boolean {
  return useStore(outdated)
}

/**
 * A chunk is missing because a new version was deployed. Reloads once automatically, unless a form has
 * unsaved changes. Returns false if a reload was tried a moment ago.
 */
export function takeNewVersion(now = Date.now()): boolean {
  if (isAnythingDirty()) {
    outdated.set(true)
    return true
  }
  if (now - Number(readTab(KEY) ?? 0) < ONCE_IN_MS) return false
  writeTab(KEY, String(now))
  // Without storage it could reload in a loop.
  if (readTab(KEY) === null) return false
  location.reload()
  return true
}

/** Matches the browsers' errors for a failed dynamic import, and the bundler's for a style sheet. */
export function isChunkLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const script = /dynamically imported module|importing a module script|error loading dynamically/i
  return (error instanceof TypeError && script.test(error.message)) || /preload CSS/.test(error.message)
}
