import { randomBytes } from 'node:crypto'
import * as contract from '@pennant/contract/external-auth.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import type { Markers } from '../../../lib/key-value.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { WorldView } from '../../../world/model.ts'
import { isVoid, type Tokens } from '../accounts/tokens.ts'
import { createCodes } from './codes.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { isSecret, redirectTo } from './rules.ts'
import { createClientStore, type ClientStore } from './store.ts'
import { clientView, publicClientView } from './views.ts'

export interface ExternalAuthDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly markers: Markers
  readonly limiter: Limiter
  readonly tokens: Pick<Tokens, 'issueExternal'>
}

/** Sign-in at other sites: docs/reference/external-auth.md. All refusals are the same. */
export function externalAuthRoutes(deps: ExternalAuthDeps): Endpoint[] {
  const { world, now, tokens, limiter } = deps
  const clients = createClientStore(deps.db)
  const codes = createCodes(deps.markers)
  return [
    on(contract.readExternalAuthClient, async ({ params: { id } }) => {
      const client = await clients.find(id)
      if (!client) return contract.badExternalAuthRequest()
      return contract.goodExternalAuthClient(publicClientView(client))
    }),

    on(contract.authorizeExternalAuth, async ({ team, body: { clientId, redirectUri, state } }) => {
      const client = await clients.find(clientId)
      if (!client || client.redirectUri !== redirectUri) return contract.badExternalAuthRequest()
      const refusal = await limiter.take('externalAuthorize', team.id)
      if (refusal) return refusal
      const validFrom = world().team(team.id)?.tokensValidFrom ?? 0
      const issuedAt = Math.max(now(), validFrom, team.tokenIssuedAt)
      const code = await codes.issue({ teamId: team.id, clientId, issuedAt })
      return contract.goodExternalAuthAuthorize({ redirectTo: redirectTo(redirectUri, { code, state }) })
    }),

    on(contract.exchangeExternalAuthCode, async ({ body: { clientId, clientSecret, code } }) => {
      const client = await clients.find(clientId)
      // Checked before the code is used up, so that a stranger who saw the code cannot use it up.
      if (!client || !isSecret(clientSecret, client.secretHash)) return contract.badExternalAuthRequest()
      const consent = await codes.take(code)
      if (consent?.clientId !== clientId) return contract.badExternalAuthRequest()
      const team = world().team(consent.teamId)
      // The team has signed out everywhere since it gave its consent.
      if (team && isVoid(consent, team)) return contract.badExternalAuthRequest()
      const accessToken = tokens.issueExternal(consent.teamId, consent.issuedAt, clientId)
      return contract.goodExternalAuthToken({ accessToken, tokenType: 'bearer' })
    }),

    ...adminRoutes(clients),
  ]
}

function adminRoutes(clients: ClientStore): Endpoint[] {
  return [
    on(contract.listExternalAuthClients, async () =>
      contract.goodAdminExternalAuthClients((await clients.list()).map(clientView)),
    ),

    on(contract.createExternalAuthClient, async ({ team, ip, body: { name, redirectUri } }) => {
      const secret = randomBytes(32).toString('base64url')
      const client = { id: randomId(), name, redirectUri, secretHash: secretHash(secret) }
      const created = await clients.create(client, { actorId: team.id, ip })
      return contract.goodAdminExternalAuthClientCreate({ ...clientView(created), secret })
    }),

    on(contract.deleteExternalAuthClient, async ({ team, ip, params: { id }, query }) => {
      const endsTokens = query.tokens === 'end'
      const isRemoved = await clients.remove({ id, endsTokens }, { actorId: team.id, ip })
      return isRemoved ? contract.goodAdminExternalAuthClientDelete() : contract.badExternalAuthRequest()
    }),
  ]
}
