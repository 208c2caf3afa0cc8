import * as contract from '@pennant/contract/api-tokens.ts'
import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { badBody, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { ownerOf, recorded, storeTokenOf, type CreationDeps } from './creation.ts'
import { newApiToken } from './secret.ts'
import * as store from './store.ts'
import { adminApiTokenView, apiTokenView } from './views.ts'

export interface ApiTokenDeps extends CreationDeps {
  /** Of a new token, in milliseconds; null without a limit. */
  readonly maxLifetimeMs: number | null
}

export function apiTokenRoutes(deps: ApiTokenDeps): Endpoint[] {
  return [...ownRoutes(deps), ...adminRoutes(deps)]
}

function ownRoutes(deps: ApiTokenDeps): Endpoint[] {
  const { db, world, now, ownWrites, maxLifetimeMs } = deps
  return [
    on(contract.listApiTokens, async ({ team }) => {
      const tokens = await store.listTokens(db, ownerOf(team))
      const at = { world: world(), now: now() }
      return contract.goodApiTokens({ tokens: tokens.map((row) => apiTokenView(row, at)), maxLifetimeMs })
    }),

    on(contract.createApiToken, async ({ team, ip, body: { name, scopes, expiresAt } }) => {
      const problem = lifetimeProblem({ expiresAt, now: now(), maxLifetimeMs })
      if (problem !== null) return badBody({ reason: `body:expiresAt: ${problem}` })
      const token = newApiToken()
      const wanted = { name, scopes, expiresAt, hash: secretHash(token) }
      const made = await storeTokenOf(deps, { team, ip }, wanted)
      if (made === null) return badToken()
      if (made === 'full') return contract.badApiTokenCount({ max: contract.apiTokenLimits.stored })
      const apiToken = { ...made, isValid: true, lastUsedAt: null, lastUsedIp: null }
      return contract.goodApiTokenCreate({ apiToken, token })
    }),

    on(contract.revokeApiToken, async ({ team, ip, params: { id } }) => {
      const owner = ownerOf(team)
      const isGone = await ownWrites.run(team.id, () =>
        store.revokeOwn(db, { id, owner }, recorded(team, ip)),
      )
      if (!isGone) return contract.badApiToken()
      return contract.goodApiTokenRevoke()
    }),
  ]
}

function adminRoutes({ db, world, now }: ApiTokenDeps): Endpoint[] {
  return [
    on(contract.listTeamApiTokens, async ({ params: { id } }) => {
      const tokens = await store.listTokensOfTeam(db, id)
      if (!world().team(id)) return badUnknownUser()
      const at = { world: world(), now: now() }
      return contract.goodAdminApiTokens({ tokens: tokens.map((row) => adminApiTokenView(row, at)) })
    }),

    on(contract.revokeTeamApiToken, async ({ params: { id: teamId, tokenId: id }, team, ip }) => {
      const isOwner = team.perms === ALL_PERMISSIONS
      const outcome = await store.revokeOfTeam(db, { id, teamId, isOwner }, { actorId: team.id, ip })
      if (outcome === 'privileged') return badUserPrivileged()
      if (outcome === 'gone') return contract.badApiToken()
      return contract.goodApiTokenRevoke()
    }),
  ]
}

interface Lifetime {
  readonly expiresAt: number | null
  readonly now: number
  readonly maxLifetimeMs: number | null
}

function lifetimeProblem({ expiresAt, now, maxLifetimeMs }: Lifetime): string | null {
  if (expiresAt !== null && expiresAt <= now) return 'is in the past'
  if (maxLifetimeMs === null) return null
  if (expiresAt === null) return 'is required here'
  return expiresAt > now + maxLifetimeMs ? `must be at most ${maxLifetimeMs} ms from now` : null
}
