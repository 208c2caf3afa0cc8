import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { openZip } from './read-zip.ts'
import type { WrittenFile } from './write-folders.ts'
import { writeZip, type StoredContent } from './write-zip.ts'

const MIB = 1024 * 1024

function storedFile(path: string, content: string): WrittenFile<StoredContent> {
  const open = async () => Readable.from([Buffer.from(content)])
  return { path, local: { size: Buffer.byteLength(content), open } }
}

describe('an archive', () => {
  // The length of the response is sent before its content.
  test.each([0, 1, 600, 1100, 1200, 5000])(
    'of %d files has the announced size and can be read',
    async (count) => {
      const files = Array.from({ length: count }, (_, at) =>
        at % 3 === 0 ? storedFile(`web/${at}/ü`, `${at}`) : { path: `web/${at}/a`, text: `${at}` },
      )
      const { content, sizeBytes } = await writeZip(files)
      const bytes = await buffer(content)
      expect(bytes.length).toBe(sizeBytes)
      await using folder = await temporaryFolder()
      const path = join(folder.path, 'archive.zip')
      await writeFile(path, bytes)
      const opened = await openZip(path, { maxFileBytes: MIB })
      if ('problems' in opened) throw new Error(JSON.stringify(opened.problems))
      await using tree = opened.tree
      expect([...tree.sizes.keys()]).toEqual(files.map((file) => file.path))
      for (const [at, file] of files.entries())
        expect(await tree.read(file.path)).toEqual({ content: Buffer.from(`${at}`) })
    },
  )
})

const rejected = new Error('gone')

test.each<[string, StoredContent]>([
  ['cannot be opened', { size: 1, open: () => Promise.reject(rejected) }],
  [
    'breaks',
    {
      size: 2,
      open: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('a')
            throw rejected
          })(),
        ),
    },
  ],
  ['is shorter than announced', { size: 2, open: async () => Readable.from([Buffer.from('a')]) }],
])('an archive ends with an error when a file %s', async (_name, local) => {
  const { content } = await writeZip([{ path: 'a', local }])
  await expect(buffer(content)).rejects.toThrow()
})

test('a file is closed when the archive is no longer read', async () => {
  const file = new Readable({ read() {} })
  const { content } = await writeZip([{ path: 'a', local: { size: 1, open: async () => file } }])
  const begun = once(content, 'data')
  content.resume()
  await begun
  const closed = once(file, 'close')
  content.destroy()
  await closed
})
