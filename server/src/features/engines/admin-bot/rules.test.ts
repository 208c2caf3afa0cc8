import { afterAll, expect, test } from 'vitest'
import { createRegexTester } from '../../../lib/regex.ts'
import { configuredInputs, findWrongInput } from './rules.ts'
import type { BotSettings } from './settings.ts'

const regex = createRegexTester()
afterAll(() => regex.close())

function rules(inputs: BotSettings['inputs']): BotSettings {
  return { code: '', revision: '', inputs, timeoutMilliseconds: 1, requireInstancerInstancesRunning: false }
}

test("keeps only the inputs of the challenge, in the challenge's order", () => {
  const settings = rules({ b: { pattern: '' }, a: { pattern: '' }, absent: { pattern: '' } })
  const given = JSON.parse('{"a":"1","b":"2","more":"3","__proto__":"4"}') as Record<string, string>
  expect(Object.entries(configuredInputs(settings, given))).toEqual([
    ['b', '2'],
    ['a', '1'],
  ])
  expect(configuredInputs(rules({ toString: { pattern: '' } }), {})).toEqual({})
})

test('a pattern matches anywhere in the value and respects its flags', async () => {
  const settings = rules({ a: { pattern: 'EVIL', flags: 'i' } })
  expect(await findWrongInput(settings, { a: 'so evil, this' }, regex)).toBeNull()
  expect(await findWrongInput(settings, { a: 'good' }, regex)).toMatchObject({ field: 'a' })
  expect(await findWrongInput(rules({}), { a: 'good' }, regex)).toBeNull()
})

test('reports the first wrong input in the order of the challenge', async () => {
  const settings = rules({ z: { pattern: '1' }, a: { pattern: '1' } })
  expect(await findWrongInput(settings, { a: '2', z: '2' }, regex)).toMatchObject({ field: 'z' })
  expect(await findWrongInput(settings, { a: '2', z: '1' }, regex)).toMatchObject({ field: 'a' })
  expect(await findWrongInput(settings, { a: '2' }, regex)).toEqual({
    field: 'z',
    error: 'The input z is missing.',
  })
})

test('a pattern that is invalid or takes too long matches nothing', async () => {
  const broken = rules({ a: { pattern: '(' } })
  expect(await findWrongInput(broken, { a: 'x' }, regex)).toMatchObject({
    error: 'The pattern of the input a is invalid.',
  })
  const endless = rules({ a: { pattern: '^(a+)+$' } })
  expect(await findWrongInput(endless, { a: `${'a'.repeat(40)}!` }, regex)).toMatchObject({ field: 'a' })
})
