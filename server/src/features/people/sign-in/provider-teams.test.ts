import { randomBytes } from 'node:crypto'
import { createOwnTeam } from '@pennant/contract/people.ts'
import * as contract from '@pennant/contract/sign-in.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { ourClient, startOpenIdProvider, type OpenIdProvider } from '../../../../test/openid-provider.ts'

// The teams that accounts of a provider get or create.

let site: OpenIdProvider
beforeAll(async () => {
  site = await startOpenIdProvider('https://ctf.example/sign-in/return/school')
  site.subject = 'ada'
})
afterAll(() => site[Symbol.asyncDispose]())

async function signIn(event: Contest) {
  const params = { id: 'school' }
  const browserKey = randomBytes(32).toString('base64url')
  const { data } = await event.call(contract.startProvider, { params, body: { browserKey } })
  const response = await site.visit((data as { url: string }).url)
  return await event.call(contract.finishProvider, { params, body: { browserKey, response } })
}

const divisions = [
  { group: 'students', division: 'student' },
  { domain: 'firm.example', division: 'work' },
]
test.each([
  ['its group', { groups: ['all', 'students'] }, 'student'],
  ['its proved domain', { email: 'a@firm.example', email_verified: true }, 'work'],
  ['no rule', { email: 'a@firm.example' }, 'open'],
])(
  'an account in an event for individuals gets a team with the division of %s',
  async (_what, account, division) => {
    const individuals = {
      individual: true,
      providers: [{ id: 'school', issuer: site.issuer, ...ourClient, divisions }],
    }
    const labels = { open: 'Open', student: 'Students', work: 'Work' }
    await using event = await startContest({ config: { divisions: labels, people: individuals } })
    site.accounts.set('ada', { name: 'Ada', ...account })
    const { data } = await signIn(event)
    expect(data).not.toHaveProperty('teamRefusal')
    const { authToken: token } = data as { authToken: string }
    expect((await event.call(readOwnProfileV2, { token })).data).toMatchObject({ name: 'Ada', division })
    const again = await signIn(event)
    expect(again.data).not.toHaveProperty('teamRefusal')
  },
)

test.each([
  ['code', { registration: { mode: 'code' } }, 'badRegistrationCode'],
  ['approval', { registration: { mode: 'approval' } }, 'badRegistrationsDisabled'],
  ['a place', { registration: { maxTeams: 1 } }, 'badRegistrationsFull'],
])(
  'an event for individuals that needs %s leaves an account without a team, and says why',
  async (...[, config, kind]) => {
    const individuals = {
      individual: true,
      providers: [{ id: 'school', issuer: site.issuer, ...ourClient }],
    }
    await using event = await startContest({ config: { ...config, people: individuals } })
    await event.team()
    site.accounts.set('ada', { name: 'Ada' })
    expect((await signIn(event)).data).toMatchObject({ isNew: true, teamRefusal: kind })
  },
)

test('a proved division wins over the chosen one', async () => {
  const providers = [{ id: 'school', issuer: site.issuer, ...ourClient, divisions }]
  const labels = { open: 'Open', student: 'Students', work: 'Work' }
  await using event = await startContest({ config: { divisions: labels, people: { providers } } })
  site.accounts.set('ada', { name: 'Ada', groups: ['students'] })
  const { authToken: token } = (await signIn(event)).data as { authToken: string }
  await event.call(createOwnTeam, { token, body: { name: 'Rowers', division: 'open' } })
  expect((await event.call(readOwnProfileV2, { token })).data).toMatchObject({ division: 'student' })
})
