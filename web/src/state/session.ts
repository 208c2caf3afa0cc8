import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Also read by `public/boot.js`. */
const KEY = 'pennant.token'

/** Unsaved work of organisers: it may hold flags, and goes when they sign out. */
export const draftsKey = 'pennant.drafts'

/** Set while the token is gone because the server refused it: other tabs are told why. */
const REFUSED_KEY = 'pennant.refused'

interface Session {
  readonly token: string | null
  /** The server refused the token, and nobody asked to be signed out. */
  readonly wasRefused: boolean
}

const session = createStore<Session>({ token: readStored(KEY), wasRefused: false })

/** The bearer token of the team that is signed in. */
export function sessionToken(): string | null {
  return session.read().token
}

/** Whether the page still shows the team whose token the server refused. */
export function wasTokenRefused(): boolean {
  return session.read().wasRefused
}

export function signIn(token: string): void {
  writeStored(REFUSED_KEY, null)
  writeStored(KEY, token)
  session.set({ token, wasRefused: false })
}

/** In this browser only: the token stays good. Other tabs follow. */
export function signOut(): void {
  writeStored(REFUSED_KEY, null)
  writeStored(draftsKey, null)
  writeStored(KEY, null)
  session.set({ token: null, wasRefused: false })
}

/** The server did not take this token. A later one, from another tab, is not touched. */
export function refuseToken(token: string): void {
  if (session.read().token !== token) return
  // Before the token: what the other tabs hear of is that.
  writeStored(REFUSED_KEY, '1')
  writeStored(KEY, null)
  session.set({ token: null, wasRefused: true })
}

export function dismissRefusal(): void {
  session.set({ ...session.read(), wasRefused: false })
}

export function useSession(): Session {
  return useStore(session)
}

/** Tells of each change of the token, in this tab or another. */
export const subscribeSession = session.subscribe

/** Follows the other tabs. Once, at the start. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    // A null key: all of the storage was cleared.
    if (key !== KEY && key !== null) return
    const token = key === null ? null : newValue
    const wasSignedIn = session.read().token !== null
    session.set({ token, wasRefused: wasSignedIn && token === null && readStored(REFUSED_KEY) !== null })
  })
}
