import { randomBytes } from 'node:crypto'
import * as contract from '@pennant/contract/external-auth.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { WorldView } from '../../../world/model.ts'
import { isVoid, type Tokens } from '../accounts/tokens.ts'
import type { Codes } from './codes.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { isSecret, redirectTo } from './rules.ts'
import type { ClientStore } from './store.ts'
import { clientView, publicClientView } from './views.ts'

export interface ExternalAuthDeps {
  readonly world: () => WorldView
  readonly now: () => number
  readonly clients: ClientStore
  readonly codes: Codes
  readonly limiter: Limiter
  /** Of this site as an OpenID provider. */
  readonly issuer: string
  /** Makes the keys that sign for the first site that needs them. */
  readonly ensureKeys: () => Promise<void>
  readonly tokens: Pick<Tokens, 'issueExternal'>
}

/** Sign-in at other sites: docs/reference/external-auth.md. All refusals are the same. */
export function externalAuthRoutes(deps: ExternalAuthDeps): Endpoint[] {
  const { world, now, tokens, limiter, clients, codes, issuer } = deps
  return [
    on(contract.readExternalAuthClient, async ({ params: { id } }) => {
      const client = await clients.find(id)
      if (!client) return contract.badExternalAuthRequest()
      return contract.goodExternalAuthClient(publicClientView(client, issuer))
    }),

    on(contract.authorizeExternalAuth, async ({ team, body: { clientId, redirectUri, state, openid } }) => {
      const client = await clients.find(clientId)
      const isOpenId = client?.kind === 'openid'
      if (!client || client.redirectUri !== redirectUri || isOpenId !== (openid !== undefined))
        return contract.badExternalAuthRequest()
      const refusal = await limiter.take('externalAuthorize', team.id)
      if (refusal) return refusal
      const validFrom = world().team(team.id)?.tokensValidFrom ?? 0
      const issuedAt = Math.max(now(), validFrom, team.tokenIssuedAt)
      const who = { personId: team.person?.id ?? null, signedInAt: team.tokenIssuedAt }
      const consent = {
        teamId: team.id,
        clientId,
        issuedAt,
        ...(openid && { openid: { ...openid, ...who } }),
      }
      const code = await codes.issue(consent)
      const added = { code, state, ...(openid && { iss: issuer }) }
      return contract.goodExternalAuthAuthorize({ redirectTo: redirectTo(redirectUri, added) })
    }),

    on(contract.exchangeExternalAuthCode, async ({ body: { clientId, clientSecret, code } }) => {
      const client = await clients.find(clientId)
      // Checked before the code is used up, so that a stranger who saw the code cannot use it up.
      if (!client || client.kind !== 'external-auth' || !isSecret(clientSecret, client.secretHash))
        return contract.badExternalAuthRequest()
      const consent = await codes.take(code)
      if (consent?.clientId !== clientId || consent.openid) return contract.badExternalAuthRequest()
      const team = world().team(consent.teamId)
      // The team has signed out everywhere since it gave its consent.
      if (team && isVoid(consent, team)) return contract.badExternalAuthRequest()
      const accessToken = tokens.issueExternal(consent.teamId, consent.issuedAt, clientId)
      return contract.goodExternalAuthToken({ accessToken, tokenType: 'bearer' })
    }),

    ...adminRoutes(deps),
  ]
}

function adminRoutes({ clients, issuer, ensureKeys }: ExternalAuthDeps): Endpoint[] {
  return [
    on(contract.listExternalAuthClients, async () =>
      contract.goodAdminExternalAuthClients(
        (await clients.list()).map((client) => clientView(client, issuer)),
      ),
    ),

    on(contract.createExternalAuthClient, async ({ team, ip, body: { name, redirectUri, kind } }) => {
      if (kind === 'openid') await ensureKeys()
      const secret = randomBytes(32).toString('base64url')
      const client = { id: randomId(), name, redirectUri, kind, secretHash: secretHash(secret) }
      const created = await clients.create(client, { actorId: team.id, ip })
      return contract.goodAdminExternalAuthClientCreate({ ...clientView(created, issuer), secret })
    }),

    on(contract.deleteExternalAuthClient, async ({ team, ip, params: { id }, query }) => {
      const endsTokens = query.tokens === 'end'
      const isRemoved = await clients.remove({ id, endsTokens }, { actorId: team.id, ip })
      return isRemoved ? contract.goodAdminExternalAuthClientDelete() : contract.badExternalAuthRequest()
    }),
  ]
}
