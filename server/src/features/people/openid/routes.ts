import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/openid.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { isPlain, readBody, type IncomingBody } from '../../../http/request/body.ts'
import type { Markers } from '../../../lib/key-value.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { ownerOf, type TokenOwner } from '../api-tokens/rules.ts'
import type { Codes, Consent } from '../external-auth/codes.ts'
import { isSecret } from '../external-auth/rules.ts'
import type { Client, ClientStore } from '../external-auth/store.ts'
import { claimsOf } from './claims.ts'
import type { OpenIdKeys } from './keys.ts'

export interface OpenIdDeps {
  readonly world: () => WorldView
  readonly now: () => number
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly markers: Markers
  readonly tokens: Pick<Tokens, 'issueOpenId' | 'open'>
  readonly clients: ClientStore
  readonly codes: Codes
  readonly keys: OpenIdKeys
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Of a body, in bytes. */
  readonly cap: number
}

/** Of ID tokens and access tokens: a site reads both at once. */
const LIFE_MS = 5 * MINUTE_MS

export const issuerOf = (origin: string) => origin + contract.OPENID_PATH

/** The provider's side of OpenID Connect. The visitor's side is `external-auth`: one page and one list of sites. */
export function openIdRoutes(deps: OpenIdDeps): Endpoint[] {
  const { origin, keys } = deps
  return [
    on(contract.readOpenIdConfiguration, () => contract.goodOpenIdConfiguration(configurationOf(origin))),
    on(contract.readOpenIdKeys, async () => contract.goodOpenIdKeys({ keys: await keys.publicKeys() })),
    on(contract.exchangeOpenIdCode, ({ incoming }) => exchange(deps, incoming)),
    on(contract.readOpenIdUser, ({ incoming }) => readUser(deps, incoming.headers)),
    on(contract.postOpenIdUser, ({ incoming }) => readUser(deps, incoming.headers)),
  ]
}

function configurationOf(origin: string) {
  const issuer = issuerOf(origin)
  return {
    issuer,
    authorization_endpoint: `${origin}/external-auth/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    scopes_supported: [...contract.openIdScopes],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'name', 'team', 'division'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

const invalid = (error: string, description: string) =>
  contract.badOpenIdToken({ error, error_description: description })

const FORM = /^application\/x-www-form-urlencoded\b/i

async function exchange(deps: OpenIdDeps, incoming: IncomingBody) {
  const { clients, codes, cap } = deps
  if (!isPlain(incoming) || !FORM.test(incoming.headers['content-type'] ?? ''))
    return invalid('invalid_request', 'the body must be application/x-www-form-urlencoded')
  const read = await readBody(incoming, { cap })
  // The only refusal is that of the size, which the route implies.
  if ('refused' in read) return read.refused as never
  const form = new URLSearchParams(read.body.join().toString('utf8'))
  if (new Set(form.keys()).size < form.size) return invalid('invalid_request', 'a parameter is repeated')
  const given = credentialsOf(incoming.headers, form)
  const client = given && (await clients.find(given.id))
  // Checked before the code is used up, so that a stranger who saw the code cannot use it up.
  if (!client || client.kind !== 'openid' || !isSecret(given.secret, client.secretHash))
    return contract.badOpenIdClient({ error: 'invalid_client', error_description: 'wrong id or secret' })
  if (form.get('grant_type') !== 'authorization_code')
    return invalid('unsupported_grant_type', 'only authorization_code is supported')
  const code = form.get('code') ?? ''
  const consent = await codes.take(code)
  if (!consent) await revokeReplayed(deps.markers, code)
  const owner = consent && (await provedOwner(deps, { consent, client, form }))
  if (!owner || !consent.openid)
    return invalid('invalid_grant', 'the code is unknown, used, expired or of another request')
  return await issue(deps, { client, owner, code, consent: { ...consent, openid: consent.openid } })
}

/** The site's id and secret, from the header or else the form (RFC 6749, section 2.3.1). */
function credentialsOf({ authorization = '' }: IncomingHttpHeaders, form: URLSearchParams) {
  const [, basic] = /^basic ([\w+/]+=*)$/i.exec(authorization) ?? []
  const [id, secret] =
    basic === undefined
      ? [form.get('client_id'), form.get('client_secret')]
      : Buffer.from(basic, 'base64')
          .toString('utf8')
          .split(':', 2)
          .map((part) => decoded(part))
  return id && secret && (basic === undefined || [null, id].includes(form.get('client_id')))
    ? { id, secret }
    : null
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return null
  }
}

interface Proof {
  readonly consent: Consent
  readonly client: Client
  readonly form: URLSearchParams
}

/** Who consented, if the request is by the site and the browser session that asked for it. */
async function provedOwner(deps: OpenIdDeps, { consent, client, form }: Proof): Promise<TokenOwner | null> {
  const { openid, clientId } = consent
  if (!openid || clientId !== client.id || form.get('redirect_uri') !== client.redirectUri) return null
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest()
  const expected = Buffer.from(openid.codeChallenge, 'base64url')
  if (expected.length !== challenge.length || !timingSafeEqual(expected, challenge)) return null
  return await currentOwner(deps, { ...consent, personId: openid.personId, expiresAt: null })
}

interface Granted {
  readonly teamId: string
  readonly personId: string | null
  readonly issuedAt: number
  readonly expiresAt: number | null
}

/** Null once the team or person has signed out everywhere, was deleted or banned, or is no longer together. */
async function currentOwner(
  { world, now, caughtUp }: OpenIdDeps,
  granted: Granted,
): Promise<TokenOwner | null> {
  // The consent may have been given at another process a moment ago.
  await caughtUp()
  const owner = ownerOf({ ...granted, createdAt: granted.issuedAt }, world(), now())
  return owner?.team.banned ? null : owner
}

interface Issue {
  readonly client: Client
  readonly owner: TokenOwner
  readonly code: string
  readonly consent: Consent & { readonly openid: NonNullable<Consent['openid']> }
}

async function issue(
  { now, markers, tokens, keys, origin }: OpenIdDeps,
  { client, owner, code, consent }: Issue,
) {
  const { teamId, issuedAt, openid } = consent
  const { scopes, nonce, personId, signedInAt } = openid
  const expiresAt = now() + LIFE_MS
  const grantId = randomId()
  await markers.set(usedKey(code), grantId, LIFE_MS)
  const granted = { grantId, clientId: client.id, teamId, personId, scopes, expiresAt }
  const idToken = await keys.sign({
    iss: issuerOf(origin),
    aud: client.id,
    iat: seconds(now()),
    exp: seconds(expiresAt),
    auth_time: seconds(signedInAt),
    ...(nonce !== undefined && { nonce }),
    ...claimsOf(owner, scopes),
  })
  return contract.goodOpenIdToken({
    access_token: tokens.issueOpenId(granted, issuedAt),
    token_type: 'Bearer',
    expires_in: LIFE_MS / 1000,
    id_token: idToken,
    scope: scopes.join(' '),
  })
}

const seconds = (ms: number) => Math.floor(ms / 1000)

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
const usedKey = (code: string) => `openid-used:${digest(code)}`
const revokedKey = (grantId: string) => `openid-revoked:${grantId}`

/** A code that comes twice was stolen from one of the two, so the first token ends too (RFC 6749, section 4.1.2). */
async function revokeReplayed(markers: Markers, code: string): Promise<void> {
  const grantId = await markers.find(usedKey(code))
  if (grantId !== null) await markers.set(revokedKey(grantId), '1', LIFE_MS)
}

async function readUser(deps: OpenIdDeps, { authorization = '' }: IncomingHttpHeaders) {
  const { tokens, markers, clients, now } = deps
  const [, token = ''] = /^bearer (\S+)$/i.exec(authorization) ?? []
  const granted = tokens.open(token, ['openid'])
  const owner = granted && granted.expiresAt > now() ? await currentOwner(deps, granted) : null
  if (!granted || !owner || (await markers.find(revokedKey(granted.grantId))) !== null) return noAccess()
  // The site may have been deleted since.
  if (!(await clients.find(granted.clientId))) return noAccess()
  return contract.goodOpenIdUser(claimsOf(owner, granted.scopes))
}

const noAccess = () =>
  contract.badOpenIdAccess({ error: 'invalid_token', error_description: 'the token is unknown or has ended' })
