import { allRoutes } from '@pennant/contract/all.ts'
import { createApiToken } from '@pennant/contract/api-tokens.ts'
import { login } from '@pennant/contract/accounts.ts'
import { addOrganiserPerson } from '@pennant/contract/organiser-people.ts'
import {
  addPasskey,
  finishPasskeySignIn,
  startPasskey,
  startPasskeySignIn,
} from '@pennant/contract/passkeys.ts'
import { deletePerson, readMe, removeTeamPerson } from '@pennant/contract/people.ts'
import { allScopes } from '@pennant/contract/scopes.ts'
import { confirmWithPasskey, startConfirmation } from '@pennant/contract/second-factor.ts'
import { readSignInWays, useSignInLink } from '@pennant/contract/sign-in.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { addressWith } from '../addresses.ts'
import { createAuthenticator, type Authenticator } from '../authenticator.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'

export const factorChecks: readonly Check[] = [
  {
    name: 'passkey-origins',
    category: 'S2',
    about: 'A passkey response is accepted only from this site, for this site, of a verified user, and once.',
    advice: 'Report it as a vulnerability. Until it is fixed, set `people: off`.',
    run: (fixture, report) => asOrganiser(fixture, report, tryPasskeys),
  },
  {
    name: 'second-factor',
    category: 'S2',
    about: 'Without the second factor that is demanded of organisers, no token has their permissions.',
    advice: 'Report it as a vulnerability. Until it is fixed, sign out the teams of organisers.',
    run: (fixture, report) => asOrganiser(fixture, report, trySidePaths),
  },
]

type Attempt = (fixture: Fixture, report: Report, token: string) => Promise<void>

/** With the session of a new person in the admin's team, who has only a link. */
async function asOrganiser(fixture: Fixture, report: Report, attempt: Attempt): Promise<void> {
  const { call, admin, run } = fixture
  const { id: teamId, token: adminToken } = admin.team
  const body = { data: { name: `Selftest ${run}`, perms: null } }
  const made = await call(addOrganiserPerson, { token: adminToken, params: { id: teamId }, body })
  if (made.kind !== 'goodOrganiserPersonAdd') return report.note(`no person could be added (${made.kind})`)
  const { id, link } = made.data
  try {
    const linkToken = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
    const signedIn = await call(useSignInLink, { body: { token: linkToken } })
    if (signedIn.kind !== 'goodPersonSignIn')
      return report.note(`the person could not sign in (${signedIn.kind})`)
    await attempt(fixture, report, signedIn.data.authToken)
  } finally {
    await call(removeTeamPerson, { token: adminToken, params: { id } })
    await call(deletePerson, { token: adminToken, params: { id } })
  }
}

const WRONG: Readonly<Record<string, (authenticator: Authenticator) => void>> = {
  'made for another origin': (each) => (each.origin = 'https://pennant-selftest.invalid'),
  'made for another relying party': (each) => (each.rpId = 'pennant-selftest.invalid'),
  'of a user who was not verified': (each) => (each.isUserVerified = false),
}

async function tryPasskeys({ call, wire, admin }: Fixture, report: Report, token: string): Promise<void> {
  const started = await call(startPasskey, { token })
  if (started.kind !== 'goodPasskeyOptions')
    return report.note(`passkeys are not available (${started.kind})`)
  const { id: rpId } = started.data.options['rp'] as { id: string }
  const url = new URL(wire.url)
  const right = { origin: url.hostname === rpId ? url.origin : `https://${rpId}`, rpId, isUserVerified: true }
  const authenticator = createAuthenticator({ origin: right.origin })
  const add = async (options: Record<string, unknown>) => {
    const body = { name: 'Self-test', response: authenticator.create(options) as never }
    return (await call(addPasskey, { token, body })).kind
  }
  const control = await add(started.data.options)
  if (control !== 'goodPasskeyAdd') return report.note(`no passkey could be added (${control})`)
  const signIn = async (options: Record<string, unknown>) =>
    (await call(finishPasskeySignIn, { body: { response: authenticator.get(options) as never } })).kind
  const options = async (): Promise<Record<string, unknown>> => {
    const asked = await call(startPasskeySignIn, {})
    return asked.kind === 'goodPasskeyOptions' ? asked.data.options : {}
  }
  for (const [what, change] of Object.entries(WRONG)) {
    change(authenticator)
    if ((await signIn(await options())) === 'goodPersonSignIn')
      report.finding(finishPasskeySignIn, 'anonymous', `a passkey response ${what} was accepted`)
    Object.assign(authenticator, right)
  }
  const used = await options()
  if ((await signIn(used)) !== 'goodPersonSignIn') return report.note('the passkey did not sign in')
  if ((await signIn(used)) === 'goodPersonSignIn')
    report.finding(finishPasskeySignIn, 'anonymous', 'a passkey response was accepted twice')
  await tryPurpose({ call, admin }, report, { token, authenticator, signIn })
}

interface Signing {
  readonly token: string
  readonly authenticator: Authenticator
  readonly signIn: (options: Record<string, unknown>) => Promise<string>
}

/** A challenge of one purpose is none of another. */
async function tryPurpose(
  { call }: Pick<Fixture, 'call' | 'admin'>,
  report: Report,
  { token, authenticator, signIn }: Signing,
): Promise<void> {
  const asked = await call(startConfirmation, { token })
  if (asked.kind !== 'goodPasskeyOptions') return report.note(`nothing to confirm (${asked.kind})`)
  if ((await signIn(asked.data.options)) === 'goodPersonSignIn')
    report.finding(finishPasskeySignIn, 'anonymous', 'a challenge to confirm signed someone in')
  const other = await call(startPasskeySignIn, {})
  if (other.kind !== 'goodPasskeyOptions') return
  const body = { response: authenticator.get(other.data.options) as never }
  const { kind } = await call(confirmWithPasskey, { token, body })
  if (kind === 'goodConfirmation')
    report.finding(confirmWithPasskey, 'organiser', 'a challenge to sign in confirmed a session')
}

/** The session, the token of the team, and an API token of the session, at every route for organisers. */
async function trySidePaths(
  { call, wire, admin, ids }: Fixture,
  report: Report,
  token: string,
): Promise<void> {
  const ways = await call(readSignInWays, { token })
  if (ways.kind !== 'goodSignInWays' || !ways.data.secondFactor.isDemanded)
    return report.note('`organisers.secondFactor` demands none of owners')
  const me = await call(readMe, { token })
  if (me.kind === 'goodPerson' && me.data.perms !== 0)
    report.finding(readMe, 'organiser', 'a session without a second factor says that it has permissions')
  const own = await call(readOwnProfileV2, { token: admin.team.token })
  const teamToken = own.kind === 'goodUserSelfData' ? own.data.teamToken : ''
  const team = await call(login, { body: { teamToken } })
  const api = await call(createApiToken, { token, body: { name: 'Self-test', scopes: [...allScopes] } })
  const callers = {
    'organiser without a second factor': token,
    'token of an organisers’ team': team.kind === 'goodLogin' ? team.data.authToken : null,
    'API token of a session without a second factor':
      api.kind === 'goodApiTokenCreate' ? api.data.token : null,
  }
  for (const [role, held] of Object.entries(callers)) {
    if (held === null) {
      report.note(`there was no ${role}`)
      continue
    }
    for (const route of allRoutes.filter(({ perms = [] }) => perms.length > 0)) {
      const { method, text } = route
      const path = addressWith(route, ids.absent)
      const { kind, status } = await wire.send({ method, path, token: held })
      if (['badSecondFactor', 'badPerms', 'badScope'].includes(kind ?? '') || (text && status === 403))
        continue
      report.finding({ method, path }, role, `the request was accepted (${status} ${kind ?? ''})`)
    }
  }
}
