import { paths } from '../paths.ts'
import { readStored, writeStored } from '../state/storage.ts'

// A link in a mail opens in a new tab, which does not know what the person wanted to join.

const KEY = 'pennant.invited'

/** Remembers the join link until someone new has signed in. */
export function rememberInvitation(code: string): void {
  writeStored(KEY, code)
}

/** Where someone who has just become a person goes on: to the team that invited them, or to their settings. */
export function takeInvitation(): string {
  const code = readStored(KEY)
  writeStored(KEY, null)
  return code === null ? paths.settings() : paths.join(code)
}
