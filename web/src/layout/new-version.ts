import { isAnythingDirty } from '../state/dirty.ts'
import { createStore, useStore } from '../state/store.ts'

const KEY = 'pennant.reloaded'
/** Sooner again, reloading has not helped. */
const ONCE_IN_MS = 60_000

const outdated = createStore(false)

/** Whether the server has a new version, and something unsaved kept the page from taking it. */
export function useIsOutdated(): boolean {
  return useStore(outdated)
}

/**
 * A part of the site is no longer there: a new version is. Reloads once by itself, unless a form holds what is not
 * saved. False when that has been tried a moment ago.
 */
export function takeNewVersion(now = Date.now()): boolean {
  if (isAnythingDirty()) {
    outdated.set(true)
    return true
  }
  try {
    if (now - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_IN_MS) return false
    sessionStorage.setItem(KEY, String(now))
  } catch {
    // Without a memory it might reload for ever.
    return false
  }
  location.reload()
  return true
}

/** As the browsers say it when a script that is imported does not come, and the build's loader of a style sheet. */
export function isChunkLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const script = /dynamically imported module|importing a module script|error loading dynamically/i
  return (error instanceof TypeError && script.test(error.message)) || /preload CSS/.test(error.message)
}
