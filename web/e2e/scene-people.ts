import { registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createApiToken } from '@pennant/contract/api-tokens.ts'
import type { Client } from '@pennant/contract/client.ts'
import { writePersonAnswers } from '@pennant/contract/custom-fields.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { createMailing, previewMailing } from '@pennant/contract/mailings.ts'
import { createPage } from '@pennant/contract/pages.ts'
import { setJoinLink } from '@pennant/contract/people.ts'
import {
  createRegistrationCodes,
  listRegistrations,
  refuseRegistrations,
} from '@pennant/contract/registration.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { timesOf } from '../../server/src/ops/demo/event.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import { textField } from '../../server/test/fields.ts'
import { startContest, type Contest, type Member } from '../../server/test/harness.ts'
import { tokenMailedTo, withMail } from '../../server/test/mail.ts'
import { personIn, teamless } from '../../server/test/people.ts'
import { accepted, siteDirectory } from './harness.ts'

/** The roles of people in the contest of `openPeopleContest`; `unconfirmed` has no second factor. */
export const PEOPLE_ROLES = ['captain', 'teamless', 'owner', 'unconfirmed'] as const

const ALL_RIGHTS = 63
const LONG = 'Rear Admiral Wolfeschlegelsteinhausenbergerdorff-Grace <b>Hopper</b>'

const config = {
  ...withMail,
  origin: 'https://ctf.example',
  divisions: { open: 'Open', school: 'Schools & universities' },
  organisers: { secondFactor: 'all' },
  people: {
    providers: [
      {
        id: 'school',
        label: 'The Accounts of the Harbour University <b>',
        issuer: 'https://id.school.invalid',
        clientId: 'x',
      },
      { id: 'github', preset: 'github', clientId: 'x', clientSecret: 'x' },
    ],
  },
}

const fields = [
  textField('school', { required: true, visible: 'everyone' }),
  textField('home', { kind: 'country' } as never),
  textField('rules', {
    kind: 'consent',
    version: 1,
    required: true,
    texts: [{ language: 'en', label: 'We accept the rules', content: 'No *DDoS*.' }],
  } as never),
  textField('size', { of: 'person', kind: 'choice', choices: ['s', 'xl'] } as never),
  textField('born', { of: 'person', kind: 'date', required: true, asked: 'later' } as never),
]

const eligibility = [
  {
    id: 'junior',
    texts: [{ language: 'en', name: 'Junior prize' }],
    conditions: [{ kind: 'age', who: 'all', field: 'born', on: '2030-12-31', max: 20 }],
  },
]

interface PeopleContestOptions {
  readonly now: number
  readonly openDatabase?: (() => Promise<TestDatabase>) | undefined
}

/** A running contest in which people sign in, with everything that organisers can ask of them in use. */
export async function openPeopleContest({ now, openDatabase }: PeopleContestOptions) {
  const disposal = createDisposal()
  const contest = await startContest({
    siteDirectory,
    startsAt: now,
    ...(openDatabase && { database: await openDatabase() }),
    config: { ...config, ...timesOf('live', now) },
  })
  disposal.defer(() => contest[Symbol.asyncDispose]())
  const organisers = await contest.admin(ALL_RIGHTS)
  const owner = await personIn(contest, organisers.id, {
    name: 'Grace',
    email: 'grace@ctf.example',
    methods: ['passkey'],
  })
  await addPasskey(contest, owner.id, 'Security key')
  const unconfirmed = await personIn(contest, organisers.id, { name: LONG, perms: 0b101 })
  await personIn(contest, organisers.id, { name: 'Linus', email: 'linus@ctf.example' })
  await putChallenge(contest.db, challengeRow('anchor'))
  const team = await contest.team('Sailors')
  const captain = await personIn(contest, team.id, { name: LONG, email: 'ada@ctf.example', isCaptain: true })
  const mate = await personIn(contest, team.id, { name: 'Ben' })
  const pending = await addRegistrations(contest, owner)
  await addOfTeam(contest, { captain, mate })
  await addOfOrganisers(contest, owner)
  const answers = { size: 'xl', born: '2012-01-01' }
  accepted(await contest.call(writePersonAnswers, { token: mate.token, body: { fields: answers } }))
  const joined = accepted(await contest.call(setJoinLink, { token: captain.token, body: { isOn: true } }))
  return {
    url: contest.url,
    tokens: {
      captain: captain.token,
      owner: owner.token,
      unconfirmed: unconfirmed.token,
      teamless: (await teamless(contest, { name: 'Eve' })).token,
    },
    values: {
      team: team.id,
      pending: encodeURIComponent(pending),
      join: dataOf(joined, 'joinCode'),
      openid: await addSite(contest, owner),
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

type Reply = Awaited<ReturnType<Client>>

/** A text in the data of a reply. */
function dataOf(reply: Reply, name: string): string {
  const value = (reply as { readonly data?: Readonly<Record<string, unknown>> }).data?.[name]
  if (typeof value !== 'string') throw new Error(`${reply.kind} has no ${name}`)
  return value
}

async function addPasskey({ db }: Contest, personId: string, name: string): Promise<void> {
  await db.query(sql`
    insert into passkeys (id, person_id, name, public_key, counter)
    values (${`${personId} ${name}`}, ${personId}, ${name}, ${Buffer.from('x')}, 0)`)
}

/** A refused registration and two that wait. Returns the token of one that waits. */
async function addRegistrations(contest: Contest, { token }: Member): Promise<string> {
  const { call } = contest
  await save(contest, token, { registrationMode: 'approval' })
  const tokens: string[] = []
  for (const name of ['Anchor', 'Buoy', LONG.slice(0, 60).replaceAll(/[<>]/g, '')]) {
    const email = `crew${tokens.length}@crews.example`
    // oxlint-disable no-await-in-loop -- the queue has an order
    accepted(await call(registerV2, { body: { name, email } }))
    const verifyToken = await tokenMailedTo(contest, email)
    tokens.push(dataOf(accepted(await call(verifyV2, { body: { verifyToken } })), 'registrationToken'))
    // oxlint-enable no-await-in-loop
  }
  const listed = await call(listRegistrations, { token, query: { limit: '10', offset: '0' } })
  if (listed.kind !== 'goodRegistrations') throw new Error(listed.kind)
  const ids = listed.data.registrations.slice(0, 1).map(({ id }) => id)
  accepted(await call(refuseRegistrations, { token, body: { data: { ids, reason: 'Only schools' } } }))
  return tokens[1] ?? ''
}

async function save({ call }: Contest, token: string, data: object): Promise<void> {
  accepted(await call(updateSettings, { token, body: { data } }))
}

interface Crew {
  readonly captain: Member
  readonly mate: Member
}

async function addOfTeam(contest: Contest, { captain, mate }: Crew): Promise<void> {
  const { call } = contest
  const body = { name: 'solver <b>', scopes: ['read' as const, 'submit' as const], expiresAt: null }
  accepted(await call(createApiToken, { token: captain.token, body }))
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{x}' } }
  accepted(await call(submitFlag, { token: mate.token, ...flag }))
  await addPasskey(contest, captain.id, 'Laptop <i>')
}

async function addOfOrganisers(contest: Contest, { token }: Member): Promise<void> {
  const { call } = contest
  const codes = {
    amount: 3,
    uses: 10,
    division: 'school',
    label: 'Schools of the coast',
    expiresAt: contest.clock.now() + DAY_MS,
  }
  accepted(await call(createRegistrationCodes, { token, body: { data: codes } }))
  const content = '# Rules\n\nBe kind.\n'
  const texts = ['en', 'de'].map((language) => ({ language, title: `Rules ${language}`, content }))
  const page = { slug: 'rules', place: 'menu' as const, published: true, mustAccept: true, texts }
  accepted(await call(createPage, { token, body: { data: page } }))
  const mail = {
    subject: 'News',
    content: 'Hello {name}',
    topic: 'other' as const,
    to: { addresses: 'people' as const },
  }
  const preview = await call(previewMailing, { token, body: { data: mail } })
  if (preview.kind !== 'goodMailingPreview') throw new Error(preview.kind)
  const { count } = preview.data
  accepted(await call(createMailing, { token, body: { data: { ...mail, count } } }))
  const privacy = { controller: 'Example Club\nprivacy@club.example', eraseAfterDays: 30 }
  await save(contest, token, { fields, eligibility, privacy })
}

/** Returns the query of a sign-in at another site. */
async function addSite({ call }: Contest, { token }: Member): Promise<string> {
  const redirectUri = 'https://wiki.example/back'
  const body = { name: 'The Wiki <b>', redirectUri, kind: 'openid' as const }
  const made = await call(createExternalAuthClient, { token, body })
  if (made.kind !== 'goodAdminExternalAuthClientCreate') throw new Error(made.kind)
  return new URLSearchParams({
    client_id: made.data.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile team division',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }).toString()
}
