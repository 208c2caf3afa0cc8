import { openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/folder.ts'
import { readSecretFile } from './secret-file.ts'

test('reads a secret from a file, or from a descriptor that it then closes', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'key')
  writeFileSync(path, 'a key\n')
  expect(readSecretFile(path)).toBe('a key\n')
  const descriptor = openSync(path, 'r')
  expect(readSecretFile(`/dev/fd/${descriptor}`)).toBe('a key\n')
  expect(() => readSync(descriptor, Buffer.alloc(1))).toThrow('EBADF')
})

test('refuses a file that is too long for a secret', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'key')
  writeFileSync(path, 'x'.repeat(64 * 1024 + 1))
  expect(() => readSecretFile(path)).toThrow('the file is too long')
  expect(() => readSecretFile('/dev/zero')).toThrow('the file is too long')
})
