import { expect, test } from 'vitest'
import { closure, fileWith, pageOf, type Chunks } from './chunks.ts'

const part = (file: string, fields: object = {}) => ({
  file,
  imports: [],
  dynamicImports: [],
  css: [],
  modules: [`src/${file}.ts`],
  ...fields,
})
const list = [
  part('site', { dynamicImports: ['scores', 'german'] }),
  part('scores', {
    imports: ['site', 'table'],
    dynamicImports: ['graph', 'german', 'profile'],
    modules: ['src/pages/scores/table/row.tsx', 'src/pages/scores/page.tsx'],
  }),
  part('profile', { modules: ['src/pages/profile/page.tsx'] }),
  part('german', { modules: ['src/text/de/scores.ts'] }),
  part('table', { imports: ['site'] }),
  part('graph', { imports: ['table', 'plots'] }),
  part('plots', { imports: ['graph'] }),
]
const chunks: Chunks = new Map(list.map((chunk) => [chunk.file, chunk]))

test('the first load is the entry of the document with its imports, without pages', () => {
  expect([...closure(chunks, { start: ['site'] })]).toEqual(['site'])
})

test('a page is everything that it may load, without loaded files, other pages and other languages', () => {
  const without = new Set(['site'])
  const whole = closure(chunks, { start: ['scores'], without, isWhole: true })
  expect([...whole].toSorted()).toEqual(['graph', 'plots', 'scores', 'table'])
  expect([...closure(chunks, { start: ['scores'], without })].toSorted()).toEqual(['scores', 'table'])
})

test('files are found by the modules in them', () => {
  expect(list.map(pageOf)).toEqual([null, 'scores', 'profile', null, null, null, null])
  expect(fileWith(chunks, 'src/text/de/scores.ts')).toBe('german')
  expect(() => fileWith(chunks, 'src/none.ts')).toThrow('in no file')
})
