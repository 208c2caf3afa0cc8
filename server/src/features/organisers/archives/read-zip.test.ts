import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { zipOf, type ZipEntry } from '../../../../test/zips.ts'
import { MAX_ENTRIES, MAX_PATH_PARTS } from './limits.ts'
import { openZip } from './read-zip.ts'

const MIB = 1024 * 1024
const maxFileBytes = 8 * MIB

/** The reasons why an archive is refused, or those of its files; empty if all can be read. */
async function reasonsOf(archive: Buffer): Promise<string[]> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, archive)
  const opened = await openZip(path, { maxFileBytes })
  if ('problems' in opened) return opened.problems.map(({ path: at, reason }) => `${at}: ${reason}`)
  await using tree = opened.tree
  const digests = await Promise.all(
    [...tree.sizes.keys()].map(async (name) => ({ name, digest: await tree.digest(name) })),
  )
  return digests.flatMap(({ name, digest }) => ('problem' in digest ? [`${name}: ${digest.problem}`] : []))
}

const reasons = (...entries: ZipEntry[]) => reasonsOf(zipOf(entries))

test('reads stored and deflated files, however Windows writes paths, and leaves out folders and what systems add', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  const entries: ZipEntry[] = [
    { name: 'web/', mode: 0o040755 },
    { name: 'web/a', content: 'stored' },
    { name: 'web/ü', content: 'deflated '.repeat(100), deflate: true },
    ...['__MACOSX/web/._a', 'web/.DS_Store', 'web\\Thumbs.db', 'web/Desktop.ini', 'a/.gitkeep'].map(
      (name) => ({ name }),
    ),
    { name: './web\\b', content: 'x' },
    { name: 'web\\dist\\', content: '' },
    // From a system that writes no modes.
    { name: 'empty', mode: 0 },
  ]
  await writeFile(path, zipOf(entries))
  const opened = await openZip(path, { maxFileBytes })
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems))
  await using tree = opened.tree
  expect([...tree.sizes]).toEqual([
    ['web/a', 6],
    ['web/ü', 900],
    ['web/b', 1],
    ['empty', 0],
  ])
  expect(await tree.read('web/ü')).toEqual({ content: Buffer.from('deflated '.repeat(100)) })
  expect(await tree.digest('empty')).toMatchObject({ size: 0 })
})

describe('a path is refused', () => {
  test.each([
    ['../a', 'leaves its folder'],
    ['a/../../b', 'leaves its folder'],
    ['/etc/passwd', 'is absolute'],
    ['C:/a', 'is absolute'],
    ['c:a', 'is absolute'],
    ['ab:stream', 'contains a colon'],
    ['a\nb', 'contains a control character'],
    ['a\0b', 'contains a control character'],
    ['', 'has an empty part'],
    ['../../', 'leaves its folder'],
    ['..\\x', 'leaves its folder', '../x'],
    ['a\\..\\..\\b', 'leaves its folder', 'a/../../b'],
    ['\\\\host\\share', 'is absolute', '/host/share'],
    ['x'.repeat(300), 'has a part that is too long'],
    ['x/'.repeat(600), 'is longer than 1000 characters'],
  ])('%j', async (name, reason, shown = name) => {
    expect(await reasons({ name })).toEqual([`${shown}: the path ${reason}`])
  })

  test('a name that is not UTF-8', async () => {
    expect(await reasons({ name: Buffer.from([0x61, 0xff]) })).toEqual(['aÿ: the name is not UTF-8 text'])
  })
})

describe('a hostile archive is refused', () => {
  const zeros = Buffer.alloc(3 * MIB)

  test('links and special files', async () => {
    expect(
      await reasons({ name: 'a', content: '/etc/passwd', mode: 0o120777 }, { name: 'b', mode: 0o020666 }),
    ).toEqual(['a: is a link or a special file', 'b: is a link or a special file'])
  })

  test('encrypted files', async () => {
    expect(await reasons({ name: 'a', content: 'x', deflate: true, flags: 0x801 })).toEqual([
      'a: is encrypted',
    ])
  })

  test('unknown compression', async () => {
    expect(await reasons({ name: 'a', content: 'x', method: 14 })).toEqual([
      'a: is compressed with method 14; only deflate is supported',
    ])
  })

  test('the same name twice, in another case, with other accents, and as a folder', async () => {
    const names = ['a/b', 'a/b', 'A/B', 'ü', 'u\u0308', 'f', 'f/g']
    expect(await reasons(...names.map((name) => ({ name })))).toEqual([
      'a/b: is in the archive twice',
      'A/B: differs from a/b only in case or accents',
      'f/g: is inside f, which is a file',
      'u\u0308: differs from ü only in case or accents',
    ])
  })

  test('files inside of a file, with others between their names', async () => {
    const names = ['f', 'f-1', 'f.txt', 'F/g/h', 'f/g', 'fg']
    expect(await reasons(...names.map((name) => ({ name })))).toEqual([
      'f/g: is inside f, which is a file',
      'F/g/h: is inside f, which is a file',
    ])
  })

  test('deep folders', async () => {
    const deep = (parts: number) => ({ name: `${'a/'.repeat(parts - 1)}b` })
    expect(await reasons(deep(MAX_PATH_PARTS))).toEqual([])
    expect(await reasons(deep(MAX_PATH_PARTS + 1))).toEqual([
      expect.stringMatching(`the path has more than ${MAX_PATH_PARTS} parts`),
    ])
  })

  test('as many deep folders as an archive may have files', async () => {
    const folders = '/x'.repeat(MAX_PATH_PARTS - 2)
    const names = Array.from({ length: MAX_ENTRIES - 1 }, (_, n) => `${n}${folders}/y`)
    expect(await reasons(...['7', ...names].map((name) => ({ name })))).toEqual([
      `7${folders}/y: is inside 7, which is a file`,
    ])
  })

  test('bombs by ratio, and not by their size alone', async () => {
    expect(await reasons({ name: 'bomb', content: zeros, deflate: true })).toEqual([
      'bomb: unpacks to more than 200 times its size',
    ])
    expect(await reasons({ name: 'small', content: Buffer.alloc(100_000), deflate: true })).toEqual([])
    expect(await reasons({ name: 'stored', content: zeros })).toEqual([])
  })

  test('a file that is larger than an upload', async () => {
    const content = Buffer.alloc(8 * MIB + 1)
    expect(await reasons({ name: 'a', content })).toEqual([`a: is larger than ${maxFileBytes} bytes`])
  })

  test('more content than an archive may have', async () => {
    const content = Buffer.alloc(7 * MIB)
    const entries = Array.from({ length: 5 }, (_, at) => ({ name: `f${at}`, content }))
    expect(await reasons(...entries)).toEqual([
      `: the archive unpacks to more than ${4 * maxFileBytes} bytes`,
    ])
  })

  test('a size that is a lie is found while reading', async () => {
    const packed = { name: 'a', content: zeros, deflate: true } as const
    expect(await reasons({ ...packed, size: 10 })).toEqual([
      expect.stringMatching(/^a: is damaged: too many bytes/),
    ])
    expect(await reasons({ name: 'a', content: 'x', deflate: true, size: 10 })).toEqual([
      expect.stringMatching(/^a: is damaged: not enough bytes/),
    ])
    expect(await reasons({ name: 'a', content: 'x', size: 10 })).toEqual([expect.stringMatching(/damaged/)])
  })

  test('a wrong checksum', async () => {
    expect(await reasons({ name: 'a', content: 'x', crc: 1 })).toEqual([
      'a: is damaged: the checksum differs',
    ])
  })

  test('files that share their bytes', async () => {
    const content = 'x'.repeat(1000)
    const entries = [
      { name: 'a', content },
      { name: 'b', content, sharesWith: 0 },
    ]
    expect(await reasons(...entries)).toEqual(['b: shares its bytes with another file'])
  })

  test('too many files', async () => {
    const entries = Array.from({ length: MAX_ENTRIES + 1 }, (_, at) => ({ name: `f${at}` }))
    expect(await reasons(...entries)).toEqual([`: the archive has more than ${MAX_ENTRIES} entries`])
  })

  test('a truncated archive, at any byte', async () => {
    const whole = zipOf([
      { name: 'a', content: 'content '.repeat(20), deflate: true },
      { name: 'b', content: 'x' },
    ])
    for (let length = 0; length < whole.length; length++)
      expect(await reasonsOf(whole.subarray(0, length)), String(length)).not.toEqual([])
  })

  test('a changed byte is found or changes no content', async () => {
    const whole = zipOf([{ name: 'abcdef', content: 'content '.repeat(20), deflate: true }])
    const start = 30 + 'abcdef'.length
    const packedBytes = whole.readUInt32LE(18)
    for (let at = start; at < start + packedBytes; at++) {
      const changed = Buffer.from(whole)
      changed.writeUInt8((changed[at] ?? 0) ^ 0x55, at)
      expect(await reasonsOf(changed), String(at)).not.toEqual([])
    }
  })

  test('something else than an archive', async () => {
    expect(await reasonsOf(Buffer.from('not a zip'))).toEqual([
      expect.stringMatching(/^: is not a zip archive/),
    ])
    expect(await reasonsOf(Buffer.alloc(0))).toEqual([expect.stringMatching(/^: is not a zip archive/)])
  })
})
