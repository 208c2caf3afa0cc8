import { expect, test } from 'vitest'
import { errors } from './en/errors.ts'
import { errorText } from './error-text.ts'

const trouble = { kind: 'errorUnavailable', message: 'Unavailable' }
const loss = { kind: 'network', message: '' }

test('only a read says that it is tried again', () => {
  expect(errorText(errors, trouble)).toBe('The server has a problem. We keep trying.')
  expect(errorText(errors, trouble, 'once')).toBe('The server has a problem. Try again.')
})

test('after a change whose answer was lost, or told of trouble, nobody knows whether it is saved', () => {
  const unsure = 'It may not be saved. Look, then try again.'
  expect([trouble, loss].map((failed) => errorText(errors, failed, 'change'))).toEqual([unsure, unsure])
  expect(errorText(errors, loss)).toBe('No connection to the server.')
})

test('what the server alone can say is said in its words', () => {
  expect(errorText(errors, { kind: 'badSomethingNew', message: 'Not today.' })).toBe('Not today.')
})
