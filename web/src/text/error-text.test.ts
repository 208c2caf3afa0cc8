import { expect, test } from 'vitest'
import { errorMessages } from './en/errors.ts'
import { errorText } from './error-text.ts'

const errors = errorMessages.english

const unavailable = { kind: 'errorUnavailable', message: 'Unavailable' }
const loss = { kind: 'network', message: '' }

test('only the message of a retried read mentions the retry', () => {
  expect(errorText(errors, unavailable)).toBe('The server has a problem. Retrying…')
  expect(errorText(errors, unavailable, 'once')).toBe('The server has a problem. Try again.')
})

test('a change without a response or with a server error may have been saved', () => {
  const unsure = 'This may not have been saved. Check before retrying.'
  expect([unavailable, loss].map((failed) => errorText(errors, failed, 'change'))).toEqual([unsure, unsure])
  expect(errorText(errors, loss)).toBe('Could not reach the server.')
})

test('a message that a player can only report has the id of its log line', () => {
  const logged = { ...unavailable, requestId: 'k3Jx' }
  expect(errorText(errors, logged, 'change')).toMatch(/ \(ID k3Jx\)$/)
  expect(errorText(errors, logged, 'once')).toMatch(/ \(ID k3Jx\)$/)
  expect(errorText(errors, logged)).toBe(errorText(errors, unavailable))
  expect(errorText(errors, { ...logged, kind: 'badBody' }, 'change')).not.toContain('k3Jx')
  expect(errorText(errors, { ...logged, kind: 'badInstancerError' }, 'change')).toMatch(/ \(ID k3Jx\)$/)
})

test('an unknown error kind shows the message of the server', () => {
  const unknown = { kind: 'badSomethingNew', message: 'Not today.', requestId: 'k3Jx' }
  expect(errorText(errors, unknown)).toBe('Not today.')
  expect(errorText(errors, unknown, 'change')).toBe('Not today. (ID k3Jx)')
})
