import { expect, test } from 'vitest'
import { deniedAddress } from './denied-address.ts'

test('a refusal redirects to the registered URL with the given state', () => {
  expect(deniedAddress({ redirectUri: 'https://shop.example/back?x=1', state: 'a&b' })).toBe(
    'https://shop.example/back?x=1&error=access_denied&state=a%26b',
  )
  expect(deniedAddress({ redirectUri: 'https://shop.example/back', state: null })).toBe(
    'https://shop.example/back?error=access_denied',
  )
})
