import type { Scope } from '@pennant/contract/scopes.ts'
import type { Database } from '../../../db/database.ts'
import type { Actor } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import * as store from './store.ts'

export interface CreationDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly ownWrites: OwnWrites
}

export const ownerOf = ({ id, person }: Actor): store.Owner => ({ teamId: id, personId: person?.id ?? null })

/** Only what organisers do is in the action log. */
export const recorded = ({ id, perms }: Actor, ip: string) => (perms > 0 ? { actorId: id, ip } : null)

interface Wanted {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  /** SHA-256 of the token. */
  readonly hash: Buffer
}

/** Stores a token of the caller. Returns its row, `full`, or null if the team was deleted meanwhile. */
export async function storeTokenOf(
  { db, world, now, ownWrites }: CreationDeps,
  { team, ip }: { readonly team: Actor; readonly ip: string },
  wanted: Wanted,
) {
  const owner = ownerOf(team)
  const validFrom = validFromOf(world(), owner)
  // Not earlier than what voids tokens, like other tokens (docs/decisions/0021).
  const createdAt = Math.max(now(), validFrom, team.tokenIssuedAt)
  const row = { ...owner, ...wanted, createdAt, hasSecondFactor: team.isConfirmed === true }
  const by = recorded(team, ip)
  const id = await ownWrites.run(team.id, () => store.insertToken(db, row, { validFrom, by }))
  const { name, scopes, expiresAt } = wanted
  return id === null || id === 'full' ? id : { id, name, scopes: [...scopes], createdAt, expiresAt }
}

/** Earlier tokens of the owner are void. */
function validFromOf(world: WorldView, { teamId, personId }: store.Owner): number {
  const person = personId === null ? undefined : world.rows(personRows).find(personId)
  return Math.max(world.team(teamId)?.tokensValidFrom ?? 0, person?.sessionsValidFrom ?? 0)
}
