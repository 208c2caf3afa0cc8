import { expect, test } from 'vitest'
import { z } from 'zod'
import { declaredReplies } from './declared.ts'
import { badChallenge, badToken } from './replies.ts'
import { reply, route, type Route } from './route.ts'

const good = reply(200, 'goodThing', 'Here is the thing.')
const plain = {
  method: 'GET',
  path: '/api/v2/thing',
  summary: 'A thing.',
  auth: 'public',
  limits: [],
  replies: [good],
} as const
const always = ['goodThing', 'errorInternal', 'errorUnavailable']

const added = (more: Partial<Route>) =>
  declaredReplies({ ...plain, ...more })
    .map(({ kind }) => kind)
    .filter((kind) => !always.includes(kind))

test('any route may fail with an internal error', () => {
  expect(declaredReplies(route(plain)).map(({ kind }) => kind)).toEqual(always)
})

test('a route with required auth declares refusals for token, permission and ban', () => {
  expect(added({ auth: 'optional' })).toEqual([])
  expect(added({ auth: 'required' })).toEqual(['badToken', 'badNoTeam'])
  expect(added({ auth: 'person' })).toEqual(['badToken', 'badNoPerson'])
  expect(added({ auth: 'required', perms: ['challsWrite'] })).toEqual([
    'badToken',
    'badNoTeam',
    'badPerms',
    'badSecondFactor',
  ])
  expect(added({ auth: 'required', notBanned: true })).toEqual(['badToken', 'badNoTeam', 'badPerms'])
  expect(added({ auth: 'service' })).toEqual(['badPublicDemo', 'badEndpoint', 'badToken'])
})

test('gates refuse before the start, and after the end if they declare it', () => {
  expect(added({ gate: { started: 'challsRead' } })).toEqual(['badNotStarted'])
  expect(added({ gate: { started: 'challsWrite', beforeEnd: 'challsWrite' } })).toEqual([
    'badNotStarted',
    'badEnded',
  ])
})

test('input may be refused for validation, syntax and size', () => {
  const shape = z.object({})
  expect(added({ params: shape })).toEqual(['badBody'])
  expect(added({ query: shape })).toEqual(['badBody'])
  expect(added({ body: shape })).toEqual(['badBody', 'badJson', 'badBodySize'])
  expect(added({ form: shape })).toEqual(['badBody', 'badBodySize'])
  expect(added({ form: shape, bodyCap: 'avatar' })).toEqual(['badBody'])
})

test('a protected action declares the captcha refusal of its version', () => {
  expect(added({ captcha: { action: 'register', field: 'captchaCode' } })).toEqual(['badCaptcha'])
  expect(added({ captcha: { action: 'register', field: 'legacyCaptchaCode' } })).toEqual([
    'badLegacyCaptchaCode',
  ])
})

test('a kind that the route declares itself is not repeated', () => {
  const kinds = added({ auth: 'required', replies: [good, badToken, badChallenge] })
  expect(kinds).toEqual(['badToken', 'badChallenge', 'badNoTeam'])
})
