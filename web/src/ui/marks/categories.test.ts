import { expect, test } from 'vitest'
import { fnv1a } from '../../fnv1a.ts'
import { categoryOf, compareCategories } from './categories.ts'

test('FNV-1a returns its published values', () => {
  expect([fnv1a(''), fnv1a('a'), fnv1a('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
})

test('an alias maps to its category, ignoring case', () => {
  for (const name of ['pwn', 'Binary', 'EXPLOITATION']) expect(categoryOf(name).slug).toBe('pwn')
  expect(categoryOf('Attack-Defense')).toMatchObject({ slug: 'ad', code: 'AD', icon: 'shield' })
})

test('an unknown category keeps its name and always gets the same colour', () => {
  const quantum = categoryOf('Quantum Magic')
  expect(quantum).toMatchObject({ slug: 'quantum-magic', code: 'QU', icon: 'tag' })
  expect(categoryOf('quantum magic').palette).toBe(quantum.palette)
  expect(categoryOf('💥')).toMatchObject({ slug: 'other', code: '??' })
})

test('unknown categories come after misc, sorted by name', () => {
  const names = ['sanity', 'zoo', 'cloud', 'misc', 'web', 'Art']
  expect(names.toSorted(compareCategories)).toEqual(['web', 'misc', 'Art', 'zoo', 'cloud', 'sanity'])
})
