import * as contract from '@pennant/contract/api-tokens.ts'
import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { badBody, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { newApiToken } from './secret.ts'
import * as store from './store.ts'
import { adminApiTokenView, apiTokenView } from './views.ts'

export interface ApiTokenDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly ownWrites: OwnWrites
  /** Of a new token, in milliseconds; null without a limit. */
  readonly maxLifetimeMs: number | null
}

export function apiTokenRoutes(deps: ApiTokenDeps): Endpoint[] {
  return [...ownRoutes(deps), ...adminRoutes(deps)]
}

const ownerOf = ({ id, person }: Actor): store.Owner => ({ teamId: id, personId: person?.id ?? null })

/** Only what organisers do is in the action log. */
const recorded = ({ id, perms }: Actor, ip: string) => (perms > 0 ? { actorId: id, ip } : null)

function ownRoutes({ db, world, now, ownWrites, maxLifetimeMs }: ApiTokenDeps): Endpoint[] {
  return [
    on(contract.listApiTokens, async ({ team }) => {
      const tokens = await store.listTokens(db, ownerOf(team))
      const at = { world: world(), now: now() }
      return contract.goodApiTokens({ tokens: tokens.map((row) => apiTokenView(row, at)), maxLifetimeMs })
    }),

    on(contract.createApiToken, async ({ team, ip, body: { name, scopes, expiresAt } }) => {
      const problem = lifetimeProblem({ expiresAt, now: now(), maxLifetimeMs })
      if (problem !== null) return badBody({ reason: `body:expiresAt: ${problem}` })
      const owner = ownerOf(team)
      const validFrom = validFromOf(world(), owner)
      const token = newApiToken()
      // Not earlier than what voids tokens, like other tokens (docs/decisions/0021).
      const createdAt = Math.max(now(), validFrom, team.tokenIssuedAt)
      const row = { ...owner, name, scopes, createdAt, expiresAt, hash: secretHash(token) }
      const id = await ownWrites.run(team.id, () =>
        store.insertToken(db, row, { validFrom, by: recorded(team, ip) }),
      )
      if (id === null) return badToken()
      if (id === 'full') return contract.badApiTokenCount({ max: contract.apiTokenLimits.stored })
      const unused = { isValid: true, lastUsedAt: null, lastUsedIp: null }
      const apiToken = { id, name, scopes, createdAt, expiresAt, ...unused }
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

/** Earlier tokens of the owner are void. */
function validFromOf(world: WorldView, { teamId, personId }: store.Owner): number {
  const person = personId === null ? undefined : world.rows(personRows).find(personId)
  return Math.max(world.team(teamId)?.tokensValidFrom ?? 0, person?.sessionsValidFrom ?? 0)
}
