import {
  askVerifyInfo,
  badTokenVerification,
  goodEmailSet,
  goodLogin,
  goodRegisterV2,
  goodToken,
  goodVerifyInfo,
  goodVerifySent,
  login,
  readVerifyInfo,
  recoverV2,
  registerV2,
  testToken,
  verifyV2,
} from '@pennant/contract/accounts.ts'
import { teamNameKey } from '@pennant/contract/fields.ts'
import { badKnownName } from '@pennant/contract/replies.ts'
import { on } from '../handler.ts'
import { teamOfToken, tokenOf, type MockTeam, type World } from '../world.ts'

/** Email tokens that the mock accepts, each for a different case. Any other is used or expired. */
const MAILED = {
  'mail-register': { kind: 'register', name: 'Fresh Crew', email: 'crew@mail.example' },
  'mail-team': { kind: 'team', name: 'Segfault Sailors', email: 'ida@sailors.example' },
  'mail-update': { kind: 'update', name: 'Segfault Sailors', email: 'new@sailors.example' },
} as const

function mailed(token: string) {
  return Object.entries(MAILED).find(([name]) => name === token)?.[1]
}

export function isTaken(world: World, name: string, ownId?: string): boolean {
  return [...world.teams.values()].some(
    (team) => teamNameKey(team.name) === teamNameKey(name) && team.id !== ownId,
  )
}

export function addTeam(world: World, fields: Pick<MockTeam, 'name' | 'email' | 'division'>): MockTeam {
  const team = {
    id: world.nextId('team-new'),
    perms: 0,
    banned: false,
    countryCode: null,
    statusText: null,
    avatarUrl: null,
    extrankId: null,
    createdAt: world.now(),
    ...fields,
  }
  world.teams.set(team.id, team)
  world.version++
  return team
}

const register = on(registerV2, ({ world, body }) => {
  if (isTaken(world, body.name)) return badKnownName()
  // Email verification is on, except for addresses of `example.org`, so that both flows can be tried.
  if (body.email !== undefined && !body.email.endsWith('@example.org')) return goodVerifySent()
  const { id } = addTeam(world, { name: body.name, email: body.email ?? null, division: 'open' })
  return goodRegisterV2({ authToken: tokenOf(id), teamToken: tokenOf(id) })
})

function describeToken(token: string) {
  const found = mailed(token)
  return found ? goodVerifyInfo(found) : badTokenVerification()
}

const verifyInfo = on(readVerifyInfo, ({ query }) => describeToken(query.token))
const askedInfo = on(askVerifyInfo, ({ body }) => describeToken(body.token))

const verify = on(verifyV2, ({ world, body }) => {
  const found = mailed(body.verifyToken)
  if (!found) return badTokenVerification()
  if (found.kind === 'update') return goodEmailSet()
  if (found.kind === 'register' && isTaken(world, found.name)) return badKnownName()
  const id = found.kind === 'team' ? 'team-player' : addTeam(world, { ...found, division: 'open' }).id
  return goodRegisterV2({ authToken: tokenOf(id), teamToken: tokenOf(id) })
})

const recover = on(recoverV2, () => goodVerifySent())

const signIn = on(login, ({ world, body }) => {
  const team = teamOfToken(world, body.teamToken ?? '')
  return team ? goodLogin({ authToken: tokenOf(team.id) }) : badTokenVerification()
})

const test = on(testToken, () => goodToken())

export const accountEndpoints = [register, verifyInfo, askedInfo, verify, recover, signIn, test]
