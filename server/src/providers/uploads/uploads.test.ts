import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordLog } from '../../../test/log.ts'
import { localPath } from './local-path.ts'
import { localUploads } from './local.ts'

const now = Date.UTC(2030, 0, 1)

async function openLocal() {
  const uploadDirectory = await mkdtemp(join(tmpdir(), 'pennant-uploads-'))
  const context = { fetch, log: recordLog().log, now: () => now, dataDir: '.' }
  const start = () => localUploads.start(localUploads.options.parse({ uploadDirectory }), context)
  return {
    folder: uploadDirectory,
    start,
    uploads: await start(),
    [Symbol.asyncDispose]: () => rm(uploadDirectory, { recursive: true }),
  }
}

const bytes = Buffer.from('content')
const digest = createHash('sha256').update(bytes).digest('hex')

test('finds a stored file by its key, with its size and address', async () => {
  await using local = await openLocal()
  const key = `${digest}/a b%ü.txt`
  expect(await local.uploads.find(key)).toBeNull()
  const stored = { url: `/uploads/${digest}/a%20b%25%C3%BC.txt`, size: 7 }
  expect(await local.uploads.store(key, bytes)).toEqual(stored)
  expect(await local.uploads.find(key)).toEqual(stored)
  expect(await readFile(join(local.folder, digest, 'a b%ü.txt'))).toEqual(bytes)
})

test('moves a staged file and leaves nothing behind', async () => {
  await using local = await openLocal()
  const path = join(local.uploads.stagingFolder, 'staged')
  await writeFile(path, bytes)
  await local.uploads.store(`${digest}/a`, { path, size: 7 })
  expect(await readFile(join(local.folder, digest, 'a'))).toEqual(bytes)
  expect(await readdir(local.uploads.stagingFolder)).toEqual([])
})

test('a key keeps its first content', async () => {
  await using local = await openLocal()
  await local.uploads.store(`${digest}/a`, bytes)
  await local.uploads.store(`${digest}/a`, Buffer.from('other'))
  expect(await readFile(join(local.folder, digest, 'a'))).toEqual(bytes)
})

test('concurrent stores of the same key all succeed', async () => {
  await using local = await openLocal()
  await Promise.all(Array.from({ length: 20 }, () => local.uploads.store(`${digest}/a`, bytes)))
  expect(await readdir(join(local.folder, digest))).toEqual(['a'])
  expect(await readdir(local.uploads.stagingFolder)).toEqual([])
})

test('removing a file deletes it, and removing it again does nothing', async () => {
  await using local = await openLocal()
  await local.uploads.store('avatars/t1/x.webp', bytes)
  await local.uploads.remove('avatars/t1/x.webp')
  await local.uploads.remove('avatars/t1/x.webp')
  expect(await local.uploads.find('avatars/t1/x.webp')).toBeNull()
})

test('stores the longest names on any file system', async () => {
  await using local = await openLocal()
  const key = `${digest}/${'ü'.repeat(250)}.tgz`
  const { url } = await local.uploads.store(key, bytes)
  expect(decodeURIComponent(url)).toBe(`/uploads/${key}`)
  expect(await local.uploads.find(key)).toMatchObject({ size: 7 })
})

test('no key leads outside the folder', () => {
  const name = 'a'.repeat(64)
  for (const key of [
    '',
    name,
    `${name}/`,
    `${name}/..`,
    `${name}/.`,
    `${name}/../x`,
    `${name}/a/../../x`,
    `${name}/a\\b`,
    `${name}/a\0`,
    `${name}/c:x`,
    `../${name}/a`,
    '../../etc/passwd',
    '.staging/x',
    'AVATARS/a',
    `${name}/a/b/c`,
    `/${name}/a`,
  ]) {
    expect(localPath('/srv/files', key.split('/')), key).toBeNull()
  }
  expect(localPath('/srv/files', [name, 'a'])).toBe(`/srv/files/${name}/a`)
  expect(localPath('/srv/files', [name, '..a'])).toBe(`/srv/files/${name}/..a`)
})

test('the next start deletes what a killed process left, if it is at least a day old', async () => {
  await using local = await openLocal()
  const [old, fresh] = ['old', 'fresh'].map((name) => join(local.uploads.stagingFolder, name))
  await mkdir(local.uploads.stagingFolder, { recursive: true })
  await writeFile(old!, '')
  await writeFile(fresh!, '')
  await utimes(old!, now / 1000 - 90_000, now / 1000 - 90_000)
  await utimes(fresh!, now / 1000 - 60, now / 1000 - 60)
  await local.start()
  expect(await readdir(local.uploads.stagingFolder)).toEqual(['fresh'])
})
