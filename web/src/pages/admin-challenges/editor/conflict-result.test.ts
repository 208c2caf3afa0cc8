import { expect, test } from 'vitest'
import { resultOf, typedResult } from './conflict-result.ts'

test('choosing a side keeps its value, regardless of the other side', () => {
  expect(resultOf('adminBotCode', null)).toEqual({ text: '', value: null })
  expect(resultOf('adminBotCode', 'go()')).toEqual({ text: 'go()', value: 'go()' })
  expect(resultOf('instancerConfig', null)).toEqual({ text: 'null', value: null })
})

test('typed text is parsed in the format of its field', () => {
  expect(typedResult('adminBotCode', 'null').value).toBe('null')
  expect(typedResult('name', '{"a"').value).toBe('{"a"')
  expect(typedResult('releaseTime', 'null').value).toBeNull()
  expect(typedResult('points', '{"min": 1').value).toBeUndefined()
})
