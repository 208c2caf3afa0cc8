import type { Database } from '../../db/database.ts'
import type { Buckets, Bus, Markers } from '../../lib/key-value.ts'
import type { Log } from '../../lib/log.ts'
import type { WorldView } from '../../world/model.ts'
import type { Divisions } from '../teams/divisions.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import type { AbuseLimits } from './limits.ts'
import type { AccountStore } from './store.ts'
import type { Tokens } from './tokens.ts'
import type { VerifyTokens } from './verify-tokens.ts'

export interface AccountDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly tokens: Tokens
  readonly markers: Markers
  /** In the database: where the link of the first admin is marked. */
  readonly lasting: Markers
  readonly ownWrites: OwnWrites
  readonly buckets: Buckets
  readonly bus: Bus
  readonly log: Log
  readonly now: () => number
  readonly divisions: Divisions
  readonly loginTimeoutMs: number
  /** Whether mail is delivered: registrations and new addresses are then proved first. */
  readonly emailEnabled: boolean
  readonly registrationsEnabled: boolean
  readonly extrankEnabled: boolean
  readonly rateLimits?: AbuseLimits | undefined
}

/** What the rules of this feature share. */
export interface AccountContext extends AccountDeps {
  readonly store: AccountStore
  readonly verifyTokens: VerifyTokens
}

/**
 * The name of a team, or null. A token may be of a team that another process made a moment ago: what memory does not
 * have yet is looked up.
 */
export async function findTeamName({ world, store }: AccountContext, id: string): Promise<string | null> {
  return world().team(id)?.name ?? (await store.findTeamName(id))
}
