import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { assert, property, string } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createRegexTester } from '../../lib/regex.ts'
import { recordLog } from '../../../test/log.ts'
import { regexFlags } from './regex.ts'
import { worstCases } from './worst-cases.ts'

const regex = createRegexTester()
afterAll(() => regex.close())
const provider = regexFlags({ regex, log: recordLog().log })
const problemOf = async (pattern: string, flags = '') => await provider.problemOf?.({ pattern, flags })

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^([a-z]+)*\\d$',
  '^(.*a){25}$',
  '^flag\\{(\\w+\\s?)*\\}$',
  'flag\\{(\\w+_?)+\\}',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^flag\\{(?:[a-z0-9]+[-_]?)*\\}$',
  '^(?:ab|abab)+$',
  '^(?=(\\d+)+$)',
  '^(\\w+-\\w+)+$',
  '^(\\s*\\S+\\s*)*$x',
  '.*.*.*.*=.*$',
  '^(?:[^,]+,?)*;$',
])('%s is refused when it is saved', async (pattern) => {
  expect(await problemOf(pattern)).toMatch(/^pattern: takes too long/)
})

test.each([
  ['^flag\\{\\d+\\}$', ''],
  ['^FLAG\\{[0-9a-f]{32}\\}$', 'i'],
  ['flag\\{(?:yes|no)\\}', 'i'],
  ['^flag\\{[^}]*\\}$', ''],
  ['^(?!flag\\{no\\}).+$', 's'],
  ['^\\s*flag\\{ *a *, *b *\\}\\s*$', ''],
  ['^(?:[a-z]+_)+[a-z]+$', ''],
  ['^(.)(.)\\2\\1$', ''],
  ['^[\\p{L}_]+$', 'u'],
  ['.*', ''],
])('%s is accepted', async (pattern, flags) => {
  expect(await problemOf(pattern, flags)).toBeNull()
})

test('texts of any pattern are flags that can be sent, and few', () => {
  assert(
    property(string({ maxLength: 60 }), (pattern) => {
      const texts = worstCases(pattern)
      expect(texts.length).toBeLessThanOrEqual(160)
      for (const text of texts) expect(text.length).toBeLessThanOrEqual(MAX_FLAG_LENGTH)
    }),
  )
})
