import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../server/test/folder.ts'
import { startHttpService, type HttpService } from '../../../server/test/http-service.ts'
import { pruneCache, readPackage, UnavailablePackageError, type DebianFile } from './debian.ts'

const hasTools = spawnSync('dpkg-deb', ['--version']).status === 0
const SNAPSHOT = '20261129T000000Z'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let mirror: HttpService

beforeEach(async () => {
  folder = await temporaryFolder()
  vi.stubEnv('XDG_CACHE_HOME', join(folder.path, 'cache'))
  mirror = await startHttpService((_request, response) => {
    response.end(readFileSync(join(folder.path, 'demo.deb')))
  })
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await mirror[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Makes a package, and returns what a lock would say of it. */
function makePackage(): DebianFile {
  const tree = join(folder.path, 'tree')
  const control =
    'Package: demo\nVersion: 1:2.0-3\nArchitecture: all\nMaintainer: a <a@test.example>\nDescription: demo\n'
  const files = {
    'DEBIAN/control': control,
    'bin/demo': '#!/bin/sh\n',
    'usr/share/doc/demo/copyright': 'free',
    'usr/share/doc/demo/changelog': 'long',
    'usr/share/man/man1/demo.1': 'long',
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(tree, path, '..'), { recursive: true })
    writeFileSync(join(tree, path), content, { mode: path.startsWith('bin') ? 0o755 : 0o644 })
  }
  const file = join(folder.path, 'demo.deb')
  expect(spawnSync('dpkg-deb', ['--build', tree, file], { encoding: 'utf8' }).stderr).toBe('')
  const bytes = readFileSync(file)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { url: `${mirror.url}/demo.deb`, sizeBytes: bytes.length, sha256 }
}

test.skipIf(!hasTools)('downloads a package once and reads its files, without documentation', async () => {
  const file = makePackage()
  for (const attempt of [1, 2]) {
    const { name, version, status, tree } = await readPackage(file, SNAPSHOT)
    expect({ attempt, name, version }).toEqual({ attempt, name: 'demo', version: '1:2.0-3' })
    expect(status).toContain('Package: demo\nStatus: install ok installed\n')
    expect(tree).toEqual(
      new Map([
        ['usr/bin/demo', { content: Buffer.from('#!/bin/sh\n'), mode: 0o755 }],
        ['usr/share/doc/demo/copyright', { content: Buffer.from('free'), mode: 0o644 }],
      ]),
    )
  }
  expect(mirror.asked).toHaveLength(1)
  const cache = join(folder.path, 'cache/pennant-release')
  await pruneCache([file])
  expect(readdirSync(cache)).toEqual([`${file.sha256}.deb`])
  await pruneCache([])
  expect(readdirSync(cache)).toEqual([])
})

test.skipIf(!hasTools)('refuses other bytes than locked, also from the cache', async () => {
  const file = makePackage()
  await readPackage(file, SNAPSHOT)
  writeFileSync(join(folder.path, 'cache/pennant-release', `${file.sha256}.deb`), 'changed')
  expect((await readPackage(file, SNAPSHOT)).name).toBe('demo')
  writeFileSync(join(folder.path, 'cache/pennant-release', `${file.sha256}.deb`), 'changed')
  writeFileSync(join(folder.path, 'demo.deb'), 'changed')
  await expect(readPackage(file, SNAPSHOT)).rejects.toThrow(UnavailablePackageError)
  await expect(readPackage(file, SNAPSHOT)).rejects.toThrow('npm run image -- --renew')
})
