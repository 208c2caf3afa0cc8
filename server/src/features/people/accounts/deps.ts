import type { Database } from '../../../db/database.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import type { Bus, Markers } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Definitions } from '../../site/custom-fields/definitions.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import type { Divisions } from '../teams/divisions.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import type { AccountStore } from './store.ts'
import type { Tokens } from './tokens.ts'
import type { VerifyTokens } from './verify-tokens.ts'

export interface AccountDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly tokens: Tokens
  readonly markers: Markers
  /** Stored in the database, because the marker of the first-admin link must not depend on Redis. */
  readonly lasting: Markers
  readonly ownWrites: OwnWrites
  readonly limiter: Limiter
  readonly bus: Bus
  readonly log: Log
  readonly now: () => number
  readonly divisions: Divisions
  readonly loginTimeoutMs: number
  /** Whether email is delivered. If so, registrations and new addresses must be verified first. */
  readonly emailEnabled: boolean
  readonly registrationRules: () => RegistrationRules
  /** What teams are asked for. */
  readonly definitions: () => Definitions
  readonly extrankEnabled: boolean
  /** Of a session that began on the server's machine. */
  readonly localSessionLifeMs: number
  readonly demandsSecondFactor: boolean
  /** Tokens of teams without permissions are refused. */
  readonly isPersonRequired: boolean
  /** Whether the strict limits on mail are on. */
  readonly hasStrictLimits: boolean
}

/** Dependencies that this feature's rules share. */
export interface AccountContext extends AccountDeps {
  readonly store: AccountStore
  readonly verifyTokens: VerifyTokens
}

export interface KnownTeam {
  readonly name: string
  readonly tokensValidFrom: number
  readonly tokenOff?: boolean
  readonly perms?: number
}

/**
 * Returns the team, or null. Falls back to the database, because another process may have created the team a
 * moment ago.
 */
export async function findTeam({ world, store }: AccountContext, id: string): Promise<KnownTeam | null> {
  return world().team(id) ?? (await store.findTeam(id))
}
