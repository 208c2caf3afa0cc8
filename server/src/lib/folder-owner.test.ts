import { chown, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { giveToFolderOwner, makeOwnedFolder } from './folder-owner.ts'

const service = 4711
const ownerOf = async (path: string) => (await stat(path)).uid

test.skipIf(process.getuid?.() !== 0)('what root makes belongs to the owner of the folder', async () => {
  await using folder = await temporaryFolder()
  const outside = join(folder.path, 'outside')
  await writeFile(outside, '')
  const data = join(folder.path, 'data')
  await makeOwnedFolder(data, 0o700)
  expect(await ownerOf(data)).toBe(0)
  await chown(data, service, service)
  const deep = join(data, 'mnt', 'backups')
  await makeOwnedFolder(deep, 0o700)
  expect(await Promise.all([join(data, 'mnt'), deep].map(ownerOf))).toEqual([service, service])
  expect((await stat(deep)).mode & 0o777).toBe(0o700)
  const file = join(deep, 'archive')
  await writeFile(file, '')
  await giveToFolderOwner(file)
  expect(await ownerOf(file)).toBe(service)
  // A link in the folder does not give away what it points to.
  await symlink(outside, join(deep, 'link'))
  await giveToFolderOwner(join(deep, 'link'))
  expect(await ownerOf(outside)).toBe(0)
  // A folder that exists keeps its owner.
  await chown(deep, 0, 0)
  await makeOwnedFolder(deep, 0o700)
  expect(await ownerOf(deep)).toBe(0)
})
