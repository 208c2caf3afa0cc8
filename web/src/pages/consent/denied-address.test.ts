import { expect, test } from 'vitest'
import { deniedAddress } from './denied-address.ts'

test('a refusal goes to the registered address, with the state that came', () => {
  expect(deniedAddress('https://shop.example/back?x=1', 'a&b')).toBe(
    'https://shop.example/back?x=1&error=access_denied&state=a%26b',
  )
  expect(deniedAddress('https://shop.example/back', null)).toBe(
    'https://shop.example/back?error=access_denied',
  )
})
