import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Also read by `public/boot.js`. */
const KEY = 'pennant.token'

/** Unsaved drafts of organisers: they may contain flags, so signing out deletes them. */
export const DRAFTS_KEY = 'pennant.drafts'

/** Set when the server refused the token, so that other tabs can show why it is gone. */
const REFUSED_KEY = 'pennant.refused'

interface Session {
  readonly token: string | null
  /** The server refused the token; the user did not sign out. */
  readonly wasRefused: boolean
  /** The token was replaced by a new one of the same team: data and typed text are kept. */
  readonly wasRenewed?: boolean
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

/** Whether the session continues with a new token of the same team. */
export function wasTokenRenewed(): boolean {
  return session.read().wasRenewed === true
}

/**
 * Continues the session with a new token of the same team, even if a request with the old one was refused
 * meanwhile.
 */
export function renewToken(token: string): void {
  writeStored(REFUSED_KEY, null)
  writeStored(KEY, token)
  session.set({ token, wasRefused: false, wasRenewed: true })
}

/** `api/end-session.ts` ends the session of a person; the token of a team stays valid. Other tabs follow. */
export function signOut(): void {
  writeStored(REFUSED_KEY, null)
  writeStored(DRAFTS_KEY, null)
  writeStored(KEY, null)
  session.set({ token: null, wasRefused: false })
}

/** The server refused this token. A newer one, from another tab, is kept. */
export function refuseToken(token: string): void {
  if (session.read().token !== token) return
  // Another tab has already stored a new token, and this one is about to be notified.
  const stored = readStored(KEY)
  if (stored !== null && stored !== token) return
  // Written before the token, because the change of the token is what notifies the other tabs.
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

/** Notifies of each change of the token, in this tab or another. */
export const subscribeSession = session.subscribe

/** Follows token changes of other tabs. Call once, at startup. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    // A null key means that the whole storage was cleared.
    if (key !== KEY && key !== null) return
    const token = key === null ? null : newValue
    const wasSignedIn = session.read().token !== null
    session.set({ token, wasRefused: wasSignedIn && token === null && readStored(REFUSED_KEY) !== null })
  })
}
