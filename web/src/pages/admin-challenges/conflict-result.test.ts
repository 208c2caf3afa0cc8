import { expect, test } from 'vitest'
import { resultOf, typedResult } from './conflict-result.ts'

test('a side that is taken keeps its value, whatever the other side is', () => {
  expect(resultOf('adminBotCode', null)).toEqual({ text: '', value: null })
  expect(resultOf('adminBotCode', 'go()')).toEqual({ text: 'go()', value: 'go()' })
  expect(resultOf('instancerConfig', null)).toEqual({ text: 'null', value: null })
})

test('what is typed is read as its field is written', () => {
  expect(typedResult('adminBotCode', 'null').value).toBe('null')
  expect(typedResult('name', '{"a"').value).toBe('{"a"')
  expect(typedResult('releaseTime', 'null').value).toBeNull()
  expect(typedResult('points', '{"min": 1').value).toBeUndefined()
})
