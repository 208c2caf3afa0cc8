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
  replies: [good],
} as const
const always = ['goodThing', 'errorInternal', 'errorUnavailable']

const added = (more: Partial<Route>) =>
  declaredReplies(route({ ...plain, ...more }))
    .map(({ kind }) => kind)
    .filter((kind) => !always.includes(kind))

test('any route may fail inside', () => {
  expect(declaredReplies(route(plain)).map(({ kind }) => kind)).toEqual(always)
})

test('a caller who is asked for may be refused, by token, by permission and by ban', () => {
  expect(added({ auth: 'optional' })).toEqual([])
  expect(added({ auth: 'required' })).toEqual(['badToken'])
  expect(added({ auth: 'required', perms: ['challsWrite'] })).toEqual(['badToken', 'badPerms'])
  expect(added({ auth: 'required', notBanned: true })).toEqual(['badToken', 'badPerms'])
  expect(added({ auth: 'service' })).toEqual(['badEndpoint', 'badToken'])
})

test('gates refuse before the start, and after the end where they say so', () => {
  expect(added({ gate: { started: 'challsRead' } })).toEqual(['badNotStarted'])
  expect(added({ gate: { started: 'challsWrite', beforeEnd: 'challsWrite' } })).toEqual([
    'badNotStarted',
    'badEnded',
  ])
})

test('what is sent may be refused by form, syntax and size', () => {
  const shape = z.object({})
  expect(added({ params: shape })).toEqual(['badBody'])
  expect(added({ query: shape })).toEqual(['badBody'])
  expect(added({ body: shape })).toEqual(['badBody', 'badJson', 'badBodySize'])
  expect(added({ form: shape })).toEqual(['badBody', 'badBodySize'])
  expect(added({ form: shape, bodyCap: 'avatar' })).toEqual(['badBody'])
})

test('a protected action refuses the captcha in the words of its version', () => {
  expect(added({ captcha: { action: 'register', field: 'captchaCode' } })).toEqual(['badCaptcha'])
  expect(added({ captcha: { action: 'register', field: 'legacyCaptchaCode' } })).toEqual([
    'badLegacyCaptchaCode',
  ])
})

test('a kind that the route declares itself is not said twice', () => {
  const kinds = added({ auth: 'required', replies: [good, badToken, badChallenge] })
  expect(kinds).toEqual(['badToken', 'badChallenge'])
})
