import type { Queries } from '../../../db/database.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { insertSession } from './store.ts'

export interface SessionDeps {
  readonly db: Queries
  readonly tokens: Pick<Tokens, 'issuePerson'>
  readonly now: () => number
}

export interface SignedIn {
  readonly personId: string
  /** How the person signed in, such as `mail` or `passkey`. */
  readonly methods: readonly string[]
  readonly browser: string
  readonly ip: string
  /** Milliseconds. */
  readonly lifeMs: number
}

/** Begins a session of a person and returns its token. */
export async function beginSession(
  { db, tokens, now }: SessionDeps,
  { lifeMs, ...signedIn }: SignedIn,
): Promise<string> {
  const { personId, methods } = signedIn
  // In whole seconds, as tokens count, so that row and token agree.
  const createdAt = Math.floor(now() / 1000) * 1000
  const expiresAt = createdAt + lifeMs
  const sessionId = await insertSession(db, { ...signedIn, createdAt, expiresAt })
  return tokens.issuePerson({ personId, sessionId, methods, expiresAt }, createdAt)
}
