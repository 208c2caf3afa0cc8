import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../lib/errors.ts'
import { keepValue, openDataFolder } from './data-folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-data-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

test('a value is made once and found by everyone who starts at the same time', async () => {
  let count = 0
  const make = () => `value ${count++}`
  const values = await Promise.all(Array.from({ length: 8 }, () => keepValue(folder, 'token-key', make)))
  expect(new Set(values)).toEqual(new Set(['value 0']))
  expect(await keepValue(folder, 'token-key', make)).toBe('value 0')
})

test('only the user of the server can read what is kept', async () => {
  await keepValue(folder, 'token-key', () => 'secret')
  expect((await stat(join(folder, 'token-key'))).mode & 0o777).toBe(0o600)
})

test('a missing folder is made, one of ours and an empty one are taken', async () => {
  const inner = join(folder, 'a/b')
  await openDataFolder(inner)
  await openDataFolder(inner)
  await writeFile(join(inner, 'token-key'), 'x\n')
  await writeFile(join(inner, 'notes.txt'), '')
  await openDataFolder(inner)
})

test('a theme may be there before the first start', async () => {
  await writeFile(join(folder, 'theme.css'), '')
  await mkdir(join(folder, 'staging'))
  await openDataFolder(folder)
  await writeFile(join(folder, 'thesis.tex'), '')
  await expect(openDataFolder(folder)).rejects.toThrow(/holds other files/)
})

test('a folder with work of someone else is refused and left as it is', async () => {
  await writeFile(join(folder, 'thesis.tex'), '')
  await expect(openDataFolder(folder)).rejects.toThrow(/holds other files/)
})

test('a file in the place of the folder is told', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(openDataFolder(join(folder, 'file'))).rejects.toThrow(/is not a folder/)
  await expect(openDataFolder(join(folder, 'file/inner'))).rejects.toThrow(StartError)
})

test('a value that was cut short is told, not replaced', async () => {
  await writeFile(join(folder, 'token-key'), 'abc')
  await expect(keepValue(folder, 'token-key', () => 'new')).rejects.toThrow(/is not whole/)
  expect(await readFile(join(folder, 'token-key'), 'utf8')).toBe('abc')
})
