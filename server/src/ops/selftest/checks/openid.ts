import { createHash, randomBytes } from 'node:crypto'
import { allRoutes } from '@pennant/contract/all.ts'
import { createApiToken, revokeApiToken } from '@pennant/contract/api-tokens.ts'
import {
  authorizeExternalAuth,
  createExternalAuthClient,
  deleteExternalAuthClient,
  exchangeExternalAuthCode,
} from '@pennant/contract/external-auth.ts'
import { exchangeOpenIdCode, OPENID_PATH, readOpenIdUser } from '@pennant/contract/openid.ts'
import { addressWith } from '../addresses.ts'
import { SkipError, type Check, type Report } from '../check.ts'
import { CLIENT_NAME } from '../content.ts'
import type { Fixture } from '../fixture.ts'

export const openIdChecks: readonly Check[] = [
  {
    name: 'openid-codes',
    category: 'S2',
    about:
      'A code of OpenID Connect works once, for the site and the browser session that asked; a replay ends its token.',
    advice: 'Report it as a vulnerability. Until it is fixed, delete the sites with OpenID Connect.',
    run: (fixture, report) => withSites(fixture, (sites) => tryCodes(fixture, sites, report)),
  },
  {
    name: 'openid-scopes',
    category: 'S2',
    about:
      'Tokens of OpenID Connect say who someone is and open nothing; other tokens do not say who someone is.',
    advice: 'Report it as a vulnerability. Until it is fixed, delete the sites with OpenID Connect.',
    run: (fixture, report) => withSites(fixture, (sites) => tryScopes(fixture, sites, report)),
  },
]

interface Site {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

interface Sites {
  readonly own: Site
  readonly other: Site
}

async function withSites(fixture: Fixture, attempt: (sites: Sites) => Promise<void>): Promise<void> {
  const { call, admin, client } = fixture
  const { token } = admin.team
  const make = async (redirectUri: string): Promise<Site> => {
    const body = { name: CLIENT_NAME, redirectUri, kind: 'openid' as const }
    const made = await call(createExternalAuthClient, { token, body })
    if (made.kind !== 'goodAdminExternalAuthClientCreate')
      throw new SkipError(`no site with OpenID Connect could be added (${made.kind})`)
    return made.data
  }
  const own = await make(`${client.redirectUri}/own`)
  const other = await make(`${client.redirectUri}/other`)
  try {
    await attempt({ own, other })
  } finally {
    for (const { id } of [own, other])
      await call(deleteExternalAuthClient, { token, params: { id }, query: {} })
  }
}

/** What a site keeps for one visitor. */
function newJourney() {
  const verifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    verifier,
    codeChallenge,
    nonce: randomBytes(8).toString('hex'),
    state: randomBytes(8).toString('hex'),
  }
}

type Journey = ReturnType<typeof newJourney>

/** Where the browser of the player returns to. */
async function consentTo({ call, player }: Fixture, site: Site, journey: Journey): Promise<URL> {
  const { codeChallenge, nonce, state } = journey
  const openid = { scopes: ['openid' as const, 'team' as const], nonce, codeChallenge }
  const body = { clientId: site.id, redirectUri: site.redirectUri, state, openid }
  const granted = await call(authorizeExternalAuth, { token: player.team.token, body })
  if (granted.kind !== 'goodExternalAuthAuthorize')
    throw new Error(`the test team could not consent: ${granted.kind}`)
  return new URL(granted.data.redirectTo)
}

interface Exchange {
  readonly site: Site
  readonly code: string
  readonly verifier: string
  readonly redirectUri?: string
}

interface Issued {
  readonly access_token: string
  readonly id_token: string
}

/** Null if no token was issued. */
async function exchange(
  { wire }: Fixture,
  { site, code, verifier, redirectUri }: Exchange,
): Promise<Issued | null> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri ?? site.redirectUri,
    code_verifier: verifier,
    client_id: site.id,
    client_secret: site.secret,
  })
  const { method, path, formType } = exchangeOpenIdCode
  const headers = { 'content-type': formType }
  const { status, data } = await wire.send({ method, path, headers, bytes: Buffer.from(form.toString()) })
  return status === 200 ? (data as Issued) : null
}

const codeIn = (back: URL) => back.searchParams.get('code') ?? ''

async function tryCodes(fixture: Fixture, { own, other }: Sites, report: Report): Promise<void> {
  const finding = (found: string) => report.finding(exchangeOpenIdCode, 'another site', found)
  const asked = newJourney()
  const { verifier } = asked
  const wrong: Readonly<Record<string, (code: string) => Exchange>> = {
    'by another site': (code) => ({ site: other, code, verifier }),
    'with the verifier of another browser session': (code) => ({
      site: own,
      code,
      verifier: newJourney().verifier,
    }),
    'without a verifier': (code) => ({ site: own, code, verifier: '' }),
    'with another address': (code) => ({ site: own, code, verifier, redirectUri: other.redirectUri }),
    'with a wrong secret': (code) => ({ site: { ...own, secret: `${own.secret}x` }, code, verifier }),
  }
  for (const [what, attempt] of Object.entries(wrong)) {
    const back = await consentTo(fixture, own, asked)
    if ((await exchange(fixture, attempt(codeIn(back)))) !== null) finding(`a code was exchanged ${what}`)
  }
  const back = await consentTo(fixture, own, asked)
  const use = { site: own, code: codeIn(back), verifier }
  const issued = await exchange(fixture, use)
  if (issued === null) return finding('a code was refused to its own site')
  findMixUp({ back, issued, own, asked }, report)
  if ((await exchange(fixture, use)) !== null) finding('a code was exchanged twice')
  const { status } = await readUser(fixture, issued.access_token)
  if (status === 200)
    report.finding(readOpenIdUser, 'another site', 'the token of a replayed code still works')
}

interface Returned {
  readonly back: URL
  readonly issued: Issued
  readonly own: Site
  readonly asked: Journey
}

/** What lets a site refuse a response that is of another provider, visitor or site. */
function findMixUp({ back, issued, own, asked }: Returned, report: Report): void {
  const finding = (found: string) => report.finding(authorizeExternalAuth, 'another site', found)
  const [, payload = ''] = issued.id_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
  const issuer = back.searchParams.get('iss')
  if (back.searchParams.get('state') !== asked.state) finding('the response lacks the state of the request')
  if (!issuer?.endsWith(OPENID_PATH)) finding('the response does not say which provider it is from')
  if (claims['iss'] !== issuer) finding('the ID token is of another provider than the response')
  if (claims['aud'] !== own.id) finding('the ID token is not for the site')
  if (claims['nonce'] !== asked.nonce) finding('the ID token lacks the nonce of the request')
}

function readUser({ wire }: Fixture, token: string) {
  return wire.send({ path: readOpenIdUser.path, token })
}

async function tryScopes(fixture: Fixture, { own }: Sites, report: Report): Promise<void> {
  const { call, wire, player, client, ids } = fixture
  const { token } = player.team
  const { verifier, ...journey } = newJourney()
  const consent = () => consentTo(fixture, own, { verifier, ...journey })
  const body = { clientId: own.id, clientSecret: own.secret, code: codeIn(await consent()) }
  const asExternal = await call(exchangeExternalAuthCode, { body })
  if (asExternal.kind === 'goodExternalAuthToken')
    report.finding(
      exchangeExternalAuthCode,
      'another site',
      'a code of OpenID Connect gave a token of the team',
    )
  const of = { clientId: client.id, redirectUri: client.redirectUri }
  const granted = await call(authorizeExternalAuth, { token, body: of })
  const external =
    granted.kind === 'goodExternalAuthAuthorize' ? codeIn(new URL(granted.data.redirectTo)) : ''
  if ((await exchange(fixture, { site: { ...own, ...client }, code: external, verifier })) !== null)
    report.finding(exchangeOpenIdCode, 'another site', 'a code of external sign-in gave an ID token')

  const issued = await exchange(fixture, { site: own, code: codeIn(await consent()), verifier })
  if (issued === null) return report.note('the test team could not sign in at a site with OpenID Connect')
  const routes = allRoutes.filter((route) => route.auth === 'required' && route.method === 'GET')
  for (const what of ['access_token', 'id_token'] as const)
    for (const route of routes) {
      const path = addressWith(route, ids.open)
      const { kind, status } = await wire.send({ path, token: issued[what] })
      if (kind !== 'badToken')
        report.finding({ path }, 'another site', `the ${what} was accepted (${status} ${kind})`)
    }
  const made = await call(createApiToken, { token, body: { name: 'Self-test', scopes: ['read'] } })
  const others = {
    'the auth token of a team': token,
    'an ID token': issued.id_token,
    ...(made.kind === 'goodApiTokenCreate' && { 'an API token': made.data.token }),
  }
  for (const [what, held] of Object.entries(others))
    if ((await readUser(fixture, held)).status === 200)
      report.finding(readOpenIdUser, 'another site', `${what} was accepted`)
  if (made.kind === 'goodApiTokenCreate')
    await call(revokeApiToken, { token, params: { id: made.data.apiToken.id } })
}
