import { expect, test } from 'vitest'
import { afterTyping, afterValue, type Typed } from './typed.ts'

const typed = ['s', 'sa', 'sai', 'sail'].reduce<Typed>(afterTyping, { text: '', told: [] })

test('echoes that come late take no letter away', () => {
  const late = ['s', 'sai'].reduce<Typed>(afterValue, typed)
  expect(late.text).toBe('sail')
  expect(afterValue(late, 'sail')).toEqual({ text: 'sail', told: [] })
})

test('what came from elsewhere is shown', () => {
  expect(afterValue(typed, '')).toEqual({ text: '', told: [] })
  expect(afterValue({ text: 'sail', told: [] }, 'row').text).toBe('row')
})
