import { allRoutes } from '@pennant/contract/all.ts'
import { createApiToken, revokeApiToken } from '@pennant/contract/api-tokens.ts'
import { login, readVerifyInfo, testToken, verifyV2 } from '@pennant/contract/accounts.ts'
import { authorizeExternalAuth, exchangeExternalAuthCode } from '@pennant/contract/external-auth.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import { allScopes } from '@pennant/contract/scopes.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { readOwnProfileV2, signOutEverywhere } from '@pennant/contract/teams.ts'
import { readOverview } from '@pennant/contract/overview.ts'
import { addressWith } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { pollStream } from '../poll-stream.ts'
import { createTeam, TEAM_PREFIX } from '../teams.ts'

/** Parallel uses of a single-use code. */
const USES = 8

async function codeFor({ call, client }: Fixture, token: string): Promise<string | null> {
  const { id: clientId, redirectUri } = client
  const granted = await call(authorizeExternalAuth, { token, body: { clientId, redirectUri } })
  if (granted.kind !== 'goodExternalAuthAuthorize') return null
  return new URL(granted.data.redirectTo).searchParams.get('code')
}

async function exchange({ call, client }: Fixture, code: string): Promise<string | null> {
  const body = { clientId: client.id, clientSecret: client.secret, code }
  const { kind, data } = await call(exchangeExternalAuthCode, { body })
  return kind === 'goodExternalAuthToken' ? data.accessToken : null
}

export const tokenChecks: readonly Check[] = [
  {
    name: 'messages-of-other-sites',
    category: 'S2',
    about: 'The stream shows a token of another site nothing of private messages.',
    advice: 'Report it as a vulnerability. Until it is fixed, remove the external-auth clients.',
    run: pollMessages,
  },
  {
    name: 'token-kinds',
    category: 'S2',
    about: 'Each kind of token works only where it belongs; changed and truncated tokens work nowhere.',
    advice: 'Report it as a vulnerability, and replace the token key if tokens may have been misused.',
    run: tryTokens,
  },
  {
    name: 'api-token-scopes',
    category: 'S2',
    about: 'An API token opens no route without its scope, and no route of credentials and permissions.',
    advice: 'Report it as a vulnerability. Until it is fixed, revoke the API tokens of organisers.',
    run: tryScopes,
  },
  {
    name: 'one-time-codes',
    category: 'S2',
    about: 'An authorization code works once, only for its client and with the client secret.',
    advice:
      'Report it as a vulnerability. Until it is fixed, delete the clients (docs/operate/other-sites.md).',
    run: useCodes,
  },
  {
    name: 'signed-out-tokens',
    category: 'S2',
    about: 'After a team signs out everywhere, its earlier tokens are invalid.',
    advice: 'Report it as a vulnerability. Until it is fixed, delete and recreate teams whose token leaked.',
    run: signOut,
  },
  {
    name: 'delegated-permissions',
    category: 'S2',
    about: 'A token that another site obtains for an organiser has no permissions.',
    advice:
      'Report it as a vulnerability. Until it is fixed, delete the clients (docs/operate/other-sites.md).',
    async run(fixture, report) {
      const code = await codeFor(fixture, fixture.admin.team.token)
      const token = code === null ? null : await exchange(fixture, code)
      if (token === null) return report.note('the admin could not consent to a sign-in at another site')
      for (const route of [readOverview, readOwnProfileV2]) {
        const { kind, data } = await fixture.wire.send({ path: route.path, token })
        const perms = (data as { perms?: number } | null)?.perms ?? 0
        if (kind !== 'goodAdminOverview' && perms === 0) continue
        const found = `the token of another site has the permissions of the organiser (${kind})`
        report.finding(route, 'another site', found)
      }
    },
  },
]

/**
 * Sends every route an API token of an organiser with all scopes but its own: with an id that does not exist and without a body, so
 * that a missing check changes nothing. Routes that none may use are tried with a token of all scopes.
 */
async function tryScopes({ call, wire, admin, ids }: Fixture, report: Report): Promise<void> {
  const { token } = admin.team
  for (const scope of [...allScopes, null]) {
    const scopes = allScopes.filter((each) => each !== scope)
    const made = await call(createApiToken, { token, body: { name: 'Self-test', scopes } })
    if (made.kind !== 'goodApiTokenCreate') return report.note(`no API token could be made (${made.kind})`)
    const { apiToken, token: other } = made.data
    try {
      for (const route of allRoutes.filter((each) => each.scope === scope)) {
        const { method, text } = route
        const path = addressWith(route, ids.absent)
        const { kind, status } = await wire.send({ method, path, token: other })
        // Routes of text answer refusals in text, without a kind.
        if (kind === 'badScope' || (text && status === 403)) continue
        const found = `an API token without the scope was accepted (${status} ${kind ?? ''})`
        report.finding({ method, path }, 'API token', found)
      }
    } finally {
      await call(revokeApiToken, { token, params: { id: apiToken.id } })
    }
  }
}

async function signOut(fixture: Fixture, report: Report): Promise<void> {
  const { call, admin, run, emailDomain } = fixture
  const account = { name: `${TEAM_PREFIX}leaver ${run}`, email: `${run}-leaver@${emailDomain}` }
  const token = (await createTeam(call, admin.team.token, account)).team?.token ?? ''
  const own = await call(readOwnProfileV2, { token })
  const teamToken = own.kind === 'goodUserSelfData' ? own.data.teamToken : ''
  const code = await codeFor(fixture, token)
  const external = code === null ? null : await exchange(fixture, code)
  const left = await call(signOutEverywhere, { token })
  if (left.kind !== 'goodSignOutEverywhere') throw new Error(`signing out failed: ${left.kind}`)

  const { path } = signOutEverywhere
  const finding = (found: string) => report.finding({ method: 'POST', path }, 'player', found)
  const earlier = { 'an earlier auth token': token, 'an earlier token of another site': external }
  for (const [what, old] of Object.entries(earlier)) {
    const { kind } = await call(testToken, { token: old ?? 'none' })
    if (kind !== 'badToken') finding(`${what} still works after signing out everywhere (${kind})`)
  }
  const again = await call(login, { body: { teamToken } })
  if (again.kind === 'goodLogin')
    finding('the earlier team token still signs in after signing out everywhere')
  const { kind } = await call(testToken, { token: left.data.authToken })
  if (kind !== 'goodToken') finding(`the new auth token is refused (${kind})`)
}

async function tryTokens(fixture: Fixture, report: Report): Promise<void> {
  const { call, wire, player, client, webhookSecret, ids } = fixture
  const own = await call(readOwnProfileV2, { token: player.team.token })
  const teamToken = own.kind === 'goodUserSelfData' ? own.data.teamToken : ''
  const auth = player.team.token
  const code = (await codeFor(fixture, auth)) ?? 'none'
  const wrong: Readonly<Record<string, string>> = {
    'the team token': teamToken,
    'a code of an external sign-in': code,
    'the secret of a client': client.secret,
    'the secret of a webhook': webhookSecret,
    'a truncated auth token': auth.slice(0, -2),
    'a changed auth token': flipped(auth),
    'an auth token with an appended byte': `${auth.replace(/=+$/, '')}AAAA`,
    'an empty JSON Web Token': 'eyJhbGciOiJub25lIn0.eyJpZCI6IjEiLCJwZXJtcyI6NjN9.',
  }
  const routes = allRoutes.filter((route) => route.auth === 'required' && route.method === 'GET')
  for (const [what, token] of Object.entries(wrong)) {
    for (const route of routes) {
      const path = addressWith(route, ids.open)
      const { kind, status } = await wire.send({ path, token })
      if (kind === 'badToken') continue
      report.finding({ path }, player, `${what} was accepted (${status} ${kind})`)
    }
  }
  const places = [
    { route: login, body: { teamToken: auth } },
    { route: verifyV2, body: { verifyToken: auth } },
    { route: verifyV2, body: { verifyToken: code } },
    { route: login, body: { teamToken: flipped(teamToken) } },
  ]
  for (const { route, body } of places) {
    const { kind } = await wire.send({ method: 'POST', path: route.path, json: body })
    if (kind === 'badTokenVerification') continue
    report.finding(route, 'anonymous', `a token of another kind was accepted (${kind})`)
  }
  const info = await wire.send({ path: `${readVerifyInfo.path}?token=${encodeURIComponent(auth)}` })
  if (info.kind !== 'badTokenVerification') {
    report.finding(readVerifyInfo, 'anonymous', `an auth token was accepted (${info.kind})`)
  }
}

/** The token with one bit of its ciphertext changed. */
function flipped(token: string): string {
  const bytes = Buffer.from(token, 'base64')
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  return bytes.toString('base64')
}

async function pollMessages(fixture: Fixture, report: Report): Promise<void> {
  const { wire, call, player } = fixture
  const { path } = openStream
  const code = await codeFor(fixture, player.team.token)
  const external = code === null ? null : await exchange(fixture, code)
  if (external === null) return report.note('the test team could not sign in at another site')
  const { id: after } = await pollStream(wire, { token: external })
  const body = { subject: 'Self-test', content: 'Not for other sites' }
  const { kind } = await call(startMessageThread, { token: player.team.token, body })
  if (kind !== 'goodMessageSend') return report.note(`the test team could not send a message (${kind})`)
  const own = await pollStream(wire, { token: player.team.token, after })
  if (!own.names.includes('message')) report.note('the stream of the team itself has no message')
  if ((await pollStream(wire, { token: external, after })).names.includes('message'))
    report.finding({ path }, 'another site', 'an event of a private message')
}

async function useCodes(fixture: Fixture, report: Report): Promise<void> {
  const { call, client, player } = fixture
  const { path } = exchangeExternalAuthCode
  const finding = (found: string) => report.finding({ method: 'POST', path }, 'another site', found)

  const code = await codeFor(fixture, player.team.token)
  if (code === null) return report.note('the test team could not consent to a sign-in at another site')
  const wrongSecret = { clientId: client.id, clientSecret: `${client.secret}x`, code }
  const refused = await call(exchangeExternalAuthCode, { body: wrongSecret })
  if (refused.kind === 'goodExternalAuthToken') finding('a code was exchanged with a wrong secret')
  const tokens = await Promise.all(Array.from({ length: USES }, () => exchange(fixture, code)))
  const used = tokens.filter((token) => token !== null)
  if (used.length > 1) finding(`${used.length} of ${USES} parallel uses of one code succeeded`)
  if (used.length === 0 && refused.kind !== 'goodExternalAuthToken')
    finding('a code was refused to its own client')
  const [token] = used
  if (token !== undefined) {
    const { kind } = await call(testToken, { token })
    if (kind !== 'goodToken') finding(`the token of a code was refused (${kind})`)
  }
  const { id: clientId } = client
  for (const redirectUri of [`${client.redirectUri}/x`, 'https://evil.example/', 'javascript:alert(1)']) {
    const body = { clientId, redirectUri }
    const { kind } = await call(authorizeExternalAuth, { token: player.team.token, body })
    if (kind === 'goodExternalAuthAuthorize')
      finding(`a code was issued for the unknown address ${redirectUri}`)
  }
}
