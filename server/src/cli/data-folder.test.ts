import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../lib/errors.ts'
import { readOrCreateValue, openDataFolder } from './data-folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-data-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

test('a value is created once, and concurrent starts all get it', async () => {
  let count = 0
  const make = () => `value ${count++}`
  const values = await Promise.all(
    Array.from({ length: 8 }, () => readOrCreateValue(folder, 'token-key', make)),
  )
  expect(new Set(values)).toEqual(new Set(['value 0']))
  expect(await readOrCreateValue(folder, 'token-key', make)).toBe('value 0')
})

test("only the server's user can read stored values", async () => {
  await readOrCreateValue(folder, 'token-key', () => 'secret')
  expect((await stat(join(folder, 'token-key'))).mode & 0o777).toBe(0o600)
})

test('creates a missing folder, and accepts an empty one or its own', async () => {
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
  await expect(openDataFolder(folder)).rejects.toThrow(/contains other files/)
})

test('refuses a folder with unrelated files and leaves it unchanged', async () => {
  await writeFile(join(folder, 'thesis.tex'), '')
  await expect(openDataFolder(folder)).rejects.toThrow(/contains other files/)
})

test('refuses a file in place of the folder', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(openDataFolder(join(folder, 'file'))).rejects.toThrow(/is not a folder/)
  await expect(openDataFolder(join(folder, 'file/inner'))).rejects.toThrow(StartError)
})

test('reports an incomplete value instead of replacing it', async () => {
  await writeFile(join(folder, 'token-key'), 'abc')
  await expect(readOrCreateValue(folder, 'token-key', () => 'new')).rejects.toThrow(/is incomplete/)
  expect(await readFile(join(folder, 'token-key'), 'utf8')).toBe('abc')
})
