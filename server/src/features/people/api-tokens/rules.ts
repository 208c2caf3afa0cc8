import { allRoutes } from '@pennant/contract/all.ts'
import { maskOf, type Permission } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { allScopes, type Scope } from '@pennant/contract/scopes.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { isVoid } from '../accounts/tokens.ts'
import { personRows, type PersonRow } from '../persons/rows.ts'
import type { ApiTokenRow } from './rows.ts'

/** What each scope needs. */
const NEEDED: ReadonlyMap<Scope, number> = new Map(
  allScopes.map((scope) => {
    const names = allRoutes.flatMap((route: Route): readonly Permission[] =>
      route.scope === scope ? [...(route.perms ?? []), ...(route.orPerms ?? [])] : [],
    )
    return [scope, maskOf(names)]
  }),
)

/** Permissions that routes of these scopes need. A token has no others: one that only reads sees what players see. */
export function permissionsOfScopes(scopes: readonly Scope[]): number {
  return scopes.reduce((perms, scope) => perms | (NEEDED.get(scope) ?? 0), 0)
}

export interface TokenOwner {
  readonly team: TeamRow
  /** Null for a token of the team itself. */
  readonly person: PersonRow | null
}

type Issued = Pick<ApiTokenRow, 'teamId' | 'personId' | 'createdAt' | 'expiresAt'>

/** For whom a token acts now; null if it is invalid: docs/reference/api-tokens.md#when-a-token-ends */
export function ownerOf(token: Issued, world: WorldView, now: number): TokenOwner | null {
  const { createdAt, expiresAt, personId } = token
  const team = world.team(token.teamId)
  if (!team || (expiresAt !== null && expiresAt <= now)) return null
  if (isVoid({ issuedAt: createdAt }, team)) return null
  if (personId === null) return team.tokenOff ? null : { team, person: null }
  const person = world.rows(personRows).find(personId)
  if (!person || person.teamId !== team.id || createdAt < person.sessionsValidFrom) return null
  return { team, person }
}
