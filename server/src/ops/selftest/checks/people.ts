import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createApiToken, listApiTokens, revokeApiToken } from '@pennant/contract/api-tokens.ts'
import { askJoin, joinTeam, readMe, setJoinLink } from '@pennant/contract/people.ts'
import { createRegistrationCodes, revokeRegistrationCodes } from '@pennant/contract/registration.ts'
import * as sessionRoutes from '@pennant/contract/sessions.ts'
import * as signIn from '@pennant/contract/sign-in.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { SkipError, type Check, type Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { TEAM_PREFIX } from '../teams.ts'

// Codes of other teams, and sessions of other people.

/** Replicas follow the settings within a second. */
const SETTLED_MS = 2000
/** Parallel uses of a code that has one. */
const USES = 8
/** More than one person may try. */
const GUESSES = 60

export const peopleChecks: readonly Check[] = [
  {
    name: 'registration-codes',
    category: 'S2',
    about: 'A registration code makes as many teams as it has uses, and no team registers without one.',
    advice: 'Report it as a vulnerability. Until it is fixed, let organisers approve registrations.',
    run: useRegistrationCodes,
  },
  {
    name: 'sessions-of-others',
    category: 'S2',
    about:
      'A person neither sees nor ends the sessions and API tokens of another one, and ended ones stay ended.',
    advice: 'Report it as a vulnerability. Until it is fixed, set `people: off`.',
    run: tryOtherSessions,
  },
  {
    // Last: it uses up the changes of a person.
    name: 'join-links',
    category: 'S2',
    about: 'Join links that were replaced or switched off lead nowhere, and cannot be guessed.',
    advice: 'Report it as a vulnerability. Until it is fixed, lock the teams with `people.lockAt`.',
    run: tryJoinLinks,
  },
]

/** The code with another last character of the same kind. */
function changed(code: string): string {
  return code.slice(0, -1) + (code.endsWith('2') ? '3' : '2')
}

async function useRegistrationCodes(fixture: Fixture, report: Report): Promise<void> {
  const { call, admin } = fixture
  const { token } = admin.team
  const saved = await call(readSettings, { token })
  if (saved.kind !== 'goodAdminSettings') throw new Error(`the settings could not be read: ${saved.kind}`)
  const before = saved.data.overrides.registrationMode ?? null
  const set = async (registrationMode: 'code' | typeof before) => {
    const { kind } = await call(updateSettings, { token, body: { data: { registrationMode } } })
    if (kind !== 'goodAdminSettingsUpdate') throw new Error(`registration could not be changed: ${kind}`)
    await sleep(SETTLED_MS)
  }
  await set('code')
  try {
    await registerWithCodes(fixture, report)
  } finally {
    await set(before)
  }
}

async function registerWithCodes({ call, admin, run, emailDomain }: Fixture, report: Report): Promise<void> {
  const { token } = admin.team
  const data = { amount: 2, uses: 1, label: TEAM_PREFIX.trim() }
  const made = await call(createRegistrationCodes, { token, body: { data } })
  if (made.kind !== 'goodRegistrationCodesCreate') throw new Error(`no codes were made: ${made.kind}`)
  const [used, revoked] = made.data.codes
  if (!used || !revoked) throw new Error('fewer codes were made than asked for')
  const revoke = (ids: string[]) => call(revokeRegistrationCodes, { token, body: { data: { ids } } })
  let number = 0
  const register = async (registrationCode?: string) => {
    number += 1
    const name = `${TEAM_PREFIX}code ${number} ${run}`
    const email = `${run}-code-${number}@${emailDomain}`
    return (await call(registerV2, { body: { name, email, ...(registrationCode && { registrationCode }) } }))
      .kind
  }
  const finding = (found: string) => report.finding(registerV2, 'anonymous', found)
  try {
    await revoke([revoked.id])
    const refused = {
      'no code': undefined,
      'a guessed code': changed(used.code),
      'a revoked code': revoked.code,
    }
    for (const [what, code] of Object.entries(refused)) {
      const kind = await register(code)
      if (kind !== 'badRegistrationCode') finding(`${what} was answered with ${kind}`)
    }
    const kinds = await Promise.all(Array.from({ length: USES }, () => register(used.code)))
    const teams = kinds.filter((kind) => kind === 'goodRegisterV2').length
    if (kinds.includes('goodVerifySent')) report.note('a code is used up only once its address is verified')
    else if (teams !== 1) finding(`a code with one use made ${teams} teams`)
    const again = await register(used.code)
    if (teams > 0 && again !== 'badRegistrationCode') finding(`a used code was answered with ${again}`)
  } finally {
    await revoke([used.id])
  }
}

async function tryJoinLinks(fixture: Fixture, report: Report): Promise<void> {
  const { call, rival } = fixture
  const { token } = rival.team
  const renew = async (isOn: boolean) => {
    const set = await call(setJoinLink, { token, body: { isOn } })
    if (set.kind === 'badEndpoint') throw new SkipError('people do not join teams on this server')
    if (set.kind !== 'goodTeamPeople') throw new Error(`the join link could not be changed: ${set.kind}`)
    return set.data.joinCode ?? ''
  }
  const old = await renew(true)
  const current = await renew(true)
  const known = await call(askJoin, { body: { code: current } })
  if (known.kind !== 'goodJoinInfo') report.note(`the link of the test team was not known (${known.kind})`)
  const wrong = {
    'a replaced link': old,
    'a guessed link': changed(current),
    'the beginning of a link': current.slice(0, -1),
    'a pattern': '%',
  }
  for (const [what, code] of Object.entries(wrong)) {
    const { kind } = await call(askJoin, { body: { code } })
    if (kind !== 'badJoinCode') report.finding(askJoin, 'anonymous', `${what} was answered with ${kind}`)
  }
  await renew(false)
  const { kind } = await call(askJoin, { body: { code: current } })
  if (kind !== 'badJoinCode')
    report.finding(askJoin, 'anonymous', `a link that is off was answered with ${kind}`)
  await guessJoinLinks(fixture, report)
}

async function guessJoinLinks(fixture: Fixture, report: Report): Promise<void> {
  const [link] = fixture.personLinks
  if (link === undefined) return report.note('guesses need a person: give `--person-link`')
  const { token, id } = await sessionOf(fixture, link)
  const { method, path } = joinTeam
  const guess = (number: number) =>
    fixture.wire.send({ method, path, token, json: { code: `guess${number}` }, impatient: true })
  const guesses = await Promise.all(Array.from({ length: GUESSES }, (_, number) => guess(number)))
  if (!guesses.some(({ kind }) => kind === 'badRateLimit'))
    report.finding(joinTeam, 'person', `${GUESSES} guesses met no rate limit`)
  await fixture.call(sessionRoutes.endSession, { token, params: { id } })
}

interface Session {
  readonly token: string
  readonly id: string
}

async function tryOtherSessions(fixture: Fixture, report: Report): Promise<void> {
  const [linkOfA, linkOfB] = fixture.personLinks
  if (linkOfA === undefined || linkOfB === undefined)
    throw new SkipError('it needs the personal links of two people: give `--person-link` twice')
  const a = await sessionOf(fixture, linkOfA)
  const [b, second] = [await sessionOf(fixture, linkOfB), await sessionOf(fixture, linkOfB)]
  try {
    await attackSessions(fixture, { a, b, second }, report)
    await attackTokens(fixture, { a, b }, report)
  } finally {
    for (const { token, id } of [a, b])
      await fixture.call(sessionRoutes.endSession, { token, params: { id } })
  }
}

function tokenOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

async function sessionOf({ call }: Fixture, link: string): Promise<Session> {
  const entered = await call(signIn.useSignInLink, { body: { token: tokenOf(link) } })
  if (entered.kind !== 'goodPersonSignIn') throw new Error(`a personal link was refused: ${entered.kind}`)
  const token = entered.data.authToken
  const listed = await call(sessionRoutes.listSessions, { token })
  const sessions = listed.kind === 'goodSessions' ? listed.data.sessions : []
  return { token, id: sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' }
}

interface Two {
  readonly a: Session
  readonly b: Session
}

async function attackSessions(
  { call, personLinks }: Fixture,
  { a, b, second }: Two & { readonly second: Session },
  report: Report,
): Promise<void> {
  const finding = (route: { readonly method: string; readonly path: string }, found: string) =>
    report.finding(route, 'person', found)
  const listed = await call(sessionRoutes.listSessions, { token: a.token })
  if (JSON.stringify(listed).includes(b.id))
    finding(sessionRoutes.listSessions, "another person's session was listed")
  await call(sessionRoutes.endSession, { token: a.token, params: { id: b.id } })
  await call(sessionRoutes.endOtherSessions, { token: a.token })
  const still = await call(readMe, { token: b.token })
  if (still.kind !== 'goodPerson') finding(sessionRoutes.endSession, "another person's session was ended")
  await call(sessionRoutes.endSession, { token: b.token, params: { id: second.id } })
  const ended = await call(readMe, { token: second.token })
  if (ended.kind !== 'badToken') finding(readMe, `a session that was ended still works (${ended.kind})`)
  for (const link of personLinks) {
    const token = tokenOf(link)
    const places = [token.slice(0, -4), token.slice(0, -2) + (token.endsWith('A=') ? 'B=' : 'A=')]
    for (const wrong of places) {
      const { kind } = await call(signIn.readSignInLink, { body: { token: wrong } })
      if (kind !== 'badSignInLink') finding(signIn.readSignInLink, `a changed link was answered with ${kind}`)
    }
  }
}

/** What one of them makes, the other cannot take away; and a program of a person has no part in signing in. */
async function attackTokens({ call, wire }: Fixture, { a, b }: Two, report: Report): Promise<void> {
  const made = await call(createApiToken, { token: a.token, body: { name: 'Self-test', scopes: ['read'] } })
  if (made.kind !== 'goodApiTokenCreate') return report.note(`no API token could be made (${made.kind})`)
  const { apiToken, token } = made.data
  const params = { id: apiToken.id }
  try {
    const listed = await call(listApiTokens, { token: b.token })
    if (JSON.stringify(listed).includes(apiToken.id))
      report.finding(listApiTokens, 'person', "another person's API token was listed")
    const { kind } = await call(revokeApiToken, { token: b.token, params })
    if (kind !== 'badApiToken')
      report.finding(revokeApiToken, 'person', `another person's API token was answered with ${kind}`)
    for (const route of [
      readMe,
      sessionRoutes.listSessions,
      signIn.renewPersonalLink,
      sessionRoutes.endOtherSessions,
    ]) {
      const { method, path } = route
      const response = await wire.send({ method, path, token })
      if (response.kind !== 'badScope')
        report.finding(route, 'API token', `an API token of a person was accepted (${response.kind})`)
    }
  } finally {
    await call(revokeApiToken, { token: a.token, params })
  }
}
