import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { cacheSmallFiles } from './small-files.ts'

const KIB = 1024

test('a small file is kept once it was read, and looked for again after five seconds', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'small')
  await writeFile(path, 'content')
  let now = 0
  const files = cacheSmallFiles(() => now)
  expect(files.kept(path)).toBe(null)
  const [one, two] = await Promise.all([files.find(path), files.find(path)])
  expect([one?.size, two?.content, files.kept(path)]).toEqual([7, one?.content, Buffer.from('content')])
  await rm(path)
  now = 4999
  expect(files.kept(path)).not.toBe(null)
  now = 5000
  expect([files.kept(path), await files.find(path)]).toEqual([null, null])
  await writeFile(path, 'content')
  expect(await files.find(path)).toEqual({ size: 7, content: Buffer.from('content') })
})

test('large files, folders and missing ones are not kept', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'large')
  await writeFile(path, Buffer.alloc(256 * KIB + 1))
  const files = cacheSmallFiles(() => 0)
  expect(await files.find(path)).toEqual({ size: 256 * KIB + 1, content: null })
  expect(await files.find(folder.path)).toBe(null)
  expect(await files.find(`${path}r`)).toBe(null)
  expect(files.kept(path)).toBe(null)
})

test('the least recently used files give way', async () => {
  await using folder = await temporaryFolder()
  const files = cacheSmallFiles(() => 0)
  const paths = Array.from({ length: 129 }, (_, n) => join(folder.path, String(n)))
  for (const path of paths) {
    await writeFile(path, Buffer.alloc(256 * KIB))
    await files.find(path)
  }
  expect(files.kept(paths[0] ?? '')).toBe(null)
  expect(paths.slice(1).every((path) => files.kept(path) !== null)).toBe(true)
})
