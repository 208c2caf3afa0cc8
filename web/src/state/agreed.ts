import { readStored, writeStored } from './storage.ts'

const KEY = 'pennant.agreed'

interface Agreed {
  /** Of the team that was registered: another one may sign in in this browser first. */
  readonly team: string
  readonly pages: readonly { readonly slug: string; readonly version: number }[]
}

/** Remembers what was accepted on the registration form until the team is signed in. */
export function rememberAgreed(agreed: Agreed): void {
  if (agreed.pages.length > 0) writeStored(KEY, JSON.stringify(agreed))
}

/** What the team accepted on the registration form, once. */
export function takeAgreed(team: string): Agreed['pages'] {
  try {
    const agreed = JSON.parse(readStored(KEY) ?? 'null') as Agreed | null
    if (agreed?.team !== team) return []
    writeStored(KEY, null)
    return agreed.pages
  } catch {
    return []
  }
}
