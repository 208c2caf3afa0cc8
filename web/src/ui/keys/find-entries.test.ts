import { expect, test } from 'vitest'
import { findEntries } from './find-entries.ts'

const entries = [
  ['Home', 'Page'],
  ['Teams', 'Organisers'],
  ['Anchor', 'Challenge'],
].map(([name = '', kind = '']) => ({ id: name, name, kind, onChoose() {} }))
const found = (typed: string) => findEntries(entries, typed).map(({ name }) => name)

test('names that start with the text come first, then names that contain it, then kinds', () => {
  expect(found('a')).toEqual(['Anchor', 'Teams', 'Home'])
})

test('every word must match the name or the kind', () => {
  expect(found('organisers TEAM')).toEqual(['Teams'])
  expect(found('organisers anchor')).toEqual([])
})
