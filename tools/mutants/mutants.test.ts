import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editText } from './build.ts'
import { mutants } from './mutants.ts'

const root = join(import.meta.dirname, '../..')

test.each(mutants)('$name still matches the sources', (mutant) => {
  const text = readFileSync(join(root, mutant.file), 'utf8')
  expect(editText(text, mutant)).not.toBe(text)
})

test('a mutant that no longer matches the sources is an error', () => {
  const edit = { file: 'x.ts', find: 'guard()', replace: '' }
  expect(() => editText('no such text', edit)).toThrow('x.ts has 0 times `guard()`')
  expect(() => editText('guard() guard()', edit)).toThrow('x.ts has 2 times `guard()`')
})
