import { expect, test } from 'vitest'
import { unsavedFields } from './form.ts'

interface Draft {
  readonly name?: string | null
  readonly list?: readonly { readonly url: string }[]
}

test('changes made while a draft is being saved remain unsaved', () => {
  const sent: Draft = { name: 'Lagoon', list: [{ url: '/a' }] }
  expect(unsavedFields(sent, sent)).toEqual({})
  expect(unsavedFields({ ...sent, name: 'Lagoon 2' }, sent)).toEqual({ name: 'Lagoon 2' })
  expect(unsavedFields({ name: null, list: [{ url: '/a' }] }, sent)).toEqual({ name: null })
  expect(unsavedFields<Draft>({ list: [{ url: '/b' }] }, { name: 'Lagoon' })).toEqual({
    list: [{ url: '/b' }],
  })
})
