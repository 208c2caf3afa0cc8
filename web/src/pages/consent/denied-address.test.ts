import { expect, test } from 'vitest'
import { deniedAddress } from './denied-address.ts'

test('a refusal redirects to the registered URL with the given state', () => {
  expect(deniedAddress('https://shop.example/back?x=1', 'a&b')).toBe(
    'https://shop.example/back?x=1&error=access_denied&state=a%26b',
  )
  expect(deniedAddress('https://shop.example/back', null)).toBe(
    'https://shop.example/back?error=access_denied',
  )
})
