import { expect, test } from 'vitest'
import { leftOf } from './left-of.ts'

interface Draft {
  readonly name?: string | null
  readonly list?: readonly { readonly url: string }[]
}

test('what was typed while a draft was being saved is left', () => {
  const sent: Draft = { name: 'Lagoon', list: [{ url: '/a' }] }
  expect(leftOf(sent, sent)).toEqual({})
  expect(leftOf({ ...sent, name: 'Lagoon 2' }, sent)).toEqual({ name: 'Lagoon 2' })
  expect(leftOf({ name: null, list: [{ url: '/a' }] }, sent)).toEqual({ name: null })
  expect(leftOf<Draft>({ list: [{ url: '/b' }] }, { name: 'Lagoon' })).toEqual({ list: [{ url: '/b' }] })
})
