import { sessionToken, subscribeSession, wasTokenRefused } from '../state/session.ts'

/** `signOutHere` of the contract, whose other routes of sessions would come into the first load. */
const SIGN_OUT = '/api/v2/people/sign-out'

/** Ends the session of a person on the server when they sign out here. Call once. */
export function endSessionsLeft(): void {
  let token = sessionToken()
  subscribeSession(() => {
    const left = token
    token = sessionToken()
    // A new token may be of the same session.
    if (left === null || token !== null || wasTokenRefused()) return
    // Also while the page closes, and whether or not the server responds.
    void fetch(SIGN_OUT, {
      method: 'POST',
      headers: { authorization: `Bearer ${left}` },
      keepalive: true,
    }).catch(() => {})
  })
}
