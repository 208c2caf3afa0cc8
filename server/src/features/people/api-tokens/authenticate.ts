import { storedPermissions, withImplied } from '@pennant/contract/permissions.ts'
import type { SecondFactorRole } from '@pennant/contract/permissions.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import type { Caller } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { permissionsOf } from '../persons/permissions.ts'
import { ownerOf, permissionsOfScopes } from './rules.ts'
import { apiTokenRows, type ApiTokenRow } from './rows.ts'
import { secretHash } from '../../../lib/secret-hash.ts'

export interface AuthenticateDeps {
  readonly world: () => WorldView
  readonly now: () => number
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  /** Roles that need a second factor. */
  readonly demanded: readonly SecondFactorRole[]
}

/** Whom an API token stands for, from memory; null if it is unknown, revoked or has ended. */
export function apiTokenCaller({ world, now, caughtUp, demanded }: AuthenticateDeps) {
  const find = (hash: string) => world().rows(apiTokenRows).get(hash)
  const callerNow = (row: ApiTokenRow | undefined) =>
    row ? callerOf(row, { world: world(), now: now(), demanded }) : null
  return (token: string): Caller | null | Promise<Caller | null> => {
    const hash = secretHash(token).toString('hex')
    const row = find(hash)
    // One that is unknown may have been created by another process a moment ago.
    return row ? callerNow(row) : caughtUp().then(() => callerNow(find(hash)))
  }
}

interface Circumstances {
  readonly world: WorldView
  readonly now: number
  readonly demanded: readonly SecondFactorRole[]
}

function callerOf(row: ApiTokenRow, { world, now, demanded }: Circumstances): Caller | null {
  const owner = ownerOf(row, world, now)
  if (!owner) return null
  const { team, person } = owner
  const { id, name, scopes, createdAt, hasSecondFactor: isConfirmed } = row
  const held = permissionsOf(team, { person, isConfirmed }, demanded)
  const actingPerson = person && {
    id: person.id,
    name: person.name,
    teamId: team.id,
    isCaptain: person.isCaptain,
    sessionId: `api-token ${id}`,
    methods: ['api-token'],
  }
  return {
    team: {
      id: team.id,
      perms: storedPermissions(withImplied(held.perms) & permissionsOfScopes(scopes)),
      withheld: storedPermissions(withImplied(held.withheld) & permissionsOfScopes(scopes)),
      banned: team.banned,
      isExternal: false,
      tokenIssuedAt: createdAt,
      person: actingPerson,
      apiToken: { id, name, scopes: new Set<Scope>(scopes) },
    },
    person: actingPerson,
  }
}
