import { expect, test } from 'vitest'
import { afterTyping, afterValue, type Typed } from './typed.ts'

const typed = ['s', 'sa', 'sai', 'sail'].reduce<Typed>(afterTyping, { text: '', pending: [] })

test('late values do not overwrite typed text', () => {
  const late = ['s', 'sai'].reduce<Typed>(afterValue, typed)
  expect(late.text).toBe('sail')
  expect(afterValue(late, 'sail')).toEqual({ text: 'sail', pending: [] })
})

test('a value from elsewhere is shown', () => {
  expect(afterValue(typed, '')).toEqual({ text: '', pending: [] })
  expect(afterValue({ text: 'sail', pending: [] }, 'row').text).toBe('row')
})
