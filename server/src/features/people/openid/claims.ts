import type { OpenIdScope } from '@pennant/contract/openid.ts'
import type { TokenOwner } from '../api-tokens/rules.ts'

/** What a site learns, by scope. The subject is the same at every site: docs/reference/openid.md#claims */
export function claimsOf({ team, person }: TokenOwner, scopes: readonly OpenIdScope[]) {
  return {
    sub: person ? `person:${person.id}` : `team:${team.id}`,
    ...(scopes.includes('profile') && { name: person?.name ?? team.name }),
    ...(scopes.includes('team') && { team: { id: team.id, name: team.name } }),
    ...(scopes.includes('division') && { division: team.division }),
  }
}
