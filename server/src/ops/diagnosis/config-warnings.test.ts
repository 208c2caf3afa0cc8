import { expect, test } from 'vitest'
import { readConfig } from '../../config/read-config.ts'
import { registrationRules } from '../../features/site/settings/registration-rules.ts'
import { configWarnings } from './config-warnings.ts'

const tokenKey = Buffer.alloc(32, 7).toString('base64')
const startTime = Date.UTC(2030, 4, 2, 12)
const email = { from: 'ctf@ctf.example', provider: { name: 'emails/memory' } }

function warningsOf(values: Readonly<Record<string, unknown>>): string[] {
  const config = readConfig([
    { source: 'test', values: { tokenKey, startTime, endTime: startTime + 1000, ...values } },
  ])
  return configWarnings(config, registrationRules(config, {}))
}

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['no one can sign in as a person', { people: 'required' }],
  ['no team can register', { people: 'required', email, registration: { mode: 'approval' } }],
  ['`people.individual` has no effect', { people: { mode: 'off', individual: true } }],
  ['people create their own team', { people: { individual: true }, registration: { mode: 'approval' } }],
  ['`people.maxTeamSize` has no effect', { people: { individual: true, maxTeamSize: 4 } }],
  ['before the event starts', { people: { lockAt: startTime - 1 } }],
  [
    'so no one can join a team',
    { people: { lockAt: startTime + 5 }, registration: { opensAt: startTime + 5 } },
  ],
  ['closes before it opens', { registration: { opensAt: 2e12, closesAt: 1.9e12 } }],
  ['only one division', { visibility: { scoreboard: 'division', profiles: 'division' } }],
  ['Create codes', { registration: { mode: 'code' } }],
  ['Profiles are open to more people', { visibility: { scoreboard: 'organisers' } }],
])('warns: %s', (text, values) => {
  expect(warningsOf(values).filter((warning) => warning.includes(text))).toHaveLength(1)
})

test('is silent about what fits together', () => {
  expect(warningsOf({})).toEqual([])
  expect(warningsOf({ people: 'required', email, registration: { mode: 'open' } })).toEqual([])
  const divisions = { north: 'North', south: 'South' }
  const visibility = { scoreboard: 'division', profiles: 'division' }
  expect(warningsOf({ divisions, visibility, people: { lockAt: startTime, maxTeamSize: 4 } })).toEqual([])
  expect(warningsOf({ people: { individual: true, maxTeamSize: 1 } })).toEqual([])
})
