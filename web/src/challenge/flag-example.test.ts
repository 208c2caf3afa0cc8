import { expect, test } from 'vitest'
import { flagExample } from './flag-example.ts'

test.each([
  [String.raw`flag{[\x20-\x7e]+}`, 'flag{...}'],
  [String.raw`^harbour\{.+\}$`, 'harbour{...}'],
  [String.raw`x-y{\w{8}}`, 'x-y{...}'],
  ['[a-z]+', 'flag{...}'],
])('the pattern %s is shown as the example %s', (pattern, example) => {
  expect(flagExample(pattern)).toBe(example)
})

test.each(['flag{...}', 'harbour{…}', 'KEY-1234', 'flag{your answer}', '', undefined])(
  'the example %s stays',
  (example) => {
    expect(flagExample(example)).toBe(example)
  },
)
