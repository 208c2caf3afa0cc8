import { chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/folder.ts'
import { entriesOf, writeArchive } from './archive.ts'

const time = new Date(Date.UTC(2026, 10, 28))

async function headersOf(bytes: Buffer) {
  const reader = extract()
  Readable.from([bytes]).pipe(reader)
  const found: object[] = []
  for await (const entry of reader) {
    const { name, mode, uid, gid, type, linkname, mtime, uname } = entry.header
    found.push({ name, mode, uid, gid, type, linkname, mtime, uname })
    entry.resume()
  }
  return found
}

test('equal files are equal archives, whatever their order, times and umask', async () => {
  await using folder = await temporaryFolder()
  const copies = ['one', 'two'].map((name, at) => {
    const copy = join(folder.path, name)
    mkdirSync(join(copy, 'b'), { recursive: true })
    const files = ['b/c.txt', 'a.sh']
    for (const file of at === 0 ? files : files.toReversed()) writeFileSync(join(copy, file), file)
    chmodSync(join(copy, 'a.sh'), at === 0 ? 0o755 : 0o700)
    symlinkSync('c.txt', join(copy, 'b/link'))
    utimesSync(join(copy, 'a.sh'), at, at)
    return copy
  })
  const archives = []
  for (const copy of copies) {
    const file = `${copy}.tgz`
    await writeArchive(file, await entriesOf(copy, 'package'), time)
    archives.push(readFileSync(file))
  }
  expect(archives[0]).toEqual(archives[1])
  const common = { uid: 0, gid: 0, mtime: time, uname: '' }
  expect(await headersOf(gunzipSync(archives[0]!))).toEqual([
    { ...common, name: 'package/a.sh', mode: 0o755, type: 'file', linkname: null },
    { ...common, name: 'package/b/c.txt', mode: 0o644, type: 'file', linkname: null },
    { ...common, name: 'package/b/link', mode: 0o777, type: 'symlink', linkname: 'c.txt' },
  ])
})

test('an archive is not written with two entries of one path, or a file that does not exist', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'a.tar')
  const twice = { path: 'a', content: '' }
  await expect(writeArchive(file, [twice, twice], time)).rejects.toThrow('two entries a')
  await expect(writeArchive(file, [{ path: 'a', file: '/none' }], time)).rejects.toThrow('ENOENT')
})
