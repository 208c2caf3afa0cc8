import { expect, test } from 'vitest'
import { categoryOf, compareCategories, fnv1a } from './categories.ts'

test('FNV-1a gives its published values', () => {
  expect([fnv1a(''), fnv1a('a'), fnv1a('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
})

test('an alias, in any case, is its category', () => {
  for (const name of ['pwn', 'Binary', 'EXPLOITATION']) expect(categoryOf(name).slug).toBe('pwn')
  expect(categoryOf('Attack-Defense')).toMatchObject({ slug: 'ad', code: 'AD', icon: 'shield' })
})

test('an unknown category keeps its name, borrows a colour and always the same one', () => {
  const quantum = categoryOf('Quantum Magic')
  expect(quantum).toMatchObject({ slug: 'quantum-magic', code: 'QU', icon: 'tag' })
  expect(categoryOf('quantum magic').palette).toBe(quantum.palette)
  expect(categoryOf('💥')).toMatchObject({ slug: 'other', code: '??' })
})

test('unknown categories stand after misc by name', () => {
  const names = ['sanity', 'zoo', 'cloud', 'misc', 'web', 'Art']
  expect(names.toSorted(compareCategories)).toEqual(['web', 'misc', 'Art', 'zoo', 'cloud', 'sanity'])
})
