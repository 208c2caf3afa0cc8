import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/folder.ts'
import { zipOf } from '../../../test/zips.ts'
import { openCtfdArchive } from './ctfd/archive.ts'
import { jsonRows } from './ctfd/json-rows.ts'
import { createKeep } from './kept.ts'
import { openDump } from './rctf/dump.ts'
import { RCTF_TABLES } from './rctf/tables.ts'
import { createReport } from './report.ts'

const MIB = 1024 * 1024

async function countRows(results: string): Promise<number> {
  const content = (async function* () {
    yield Buffer.from(`{"count": 1, "results": [${results}], "meta": {}}`)
  })()
  const seen = { count: 0, latest: { bytes: 0, values: 0 }, stated: null }
  for await (const _ of jsonRows(content, { name: 'db/x.json', seen }));
  return seen.count
}

describe('a row of an export', () => {
  test.each([
    ['of deep lists', `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /nested deeper than/],
    ['of deep objects', `{"a": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, /nested deeper than/],
    ['of empty lists', `{"a": [${'[],'.repeat(60_000)}1]}`, /more than 100000 values/],
    ['of numbers', `{"a": [${'1,'.repeat(100_000)}1]}`, /more than 100000 values/],
    ['of keys', `{${'"a":1,'.repeat(100_000)}"b":1}`, /more than 100000 values/],
  ])('%s is refused', async (_kind, row, reason) => {
    await expect(countRows(row)).rejects.toThrow(reason)
  })

  test('with brackets and commas in its texts is read', async () => {
    expect(await countRows(`{"a": "${'[{,'.repeat(100_000)}"}, {"b": [[[1]]]}`)).toBe(2)
  })
})

test('rows are counted with what they take besides their text', () => {
  const keep = createKeep(1000)
  keep({ bytes: 500, values: 0 })
  keep({ bytes: 2, values: 4 })
  expect(() => keep({ bytes: 2, values: 1 })).toThrow(
    'more rows than an import can keep in memory (1000 bytes)',
  )
})

test('an export of small values ends at the limit of memory', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'ctfd.zip')
  const row = `{"a": [${'[],'.repeat(30_000)}1]}`
  const content = `{"results": [${Array.from({ length: 120 }, () => row).join()}]}`
  const entries = [{ name: 'db/alembic_version.json' }, { name: 'db/config.json', content }]
  await writeFile(path, zipOf(entries))
  await using archive = await openCtfdArchive(path, createReport())
  await expect(archive.all('config').then(({ length }) => length)).rejects.toThrow('keep in memory')
})

describe('a dump', () => {
  async function tablesOf(content: Buffer): Promise<number> {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'dump.sql')
    await writeFile(path, content)
    await using tables = await openDump(path)
    return (await tables.scan(new Set(RCTF_TABLES), () => {})).size
  }

  const table = 'COPY public.users (id) FROM stdin;\nx\n\\.\n'

  test.each([
    ['empty lines', '\n'],
    ['lines of Windows', '\r\n'],
    ['comments', '-- x\n'],
    ['rows of another table', `COPY other (id) FROM stdin;\n${'\n'.repeat(1000)}\\.\n`],
  ])('with a million %s is read', async (_kind, part) => {
    expect(await tablesOf(Buffer.from(part.repeat(Math.ceil(MIB / part.length)) + table))).toBe(1)
  })

  test('that unpacks to far more than its size is refused', async () => {
    const packed = gzipSync(`${'x'.repeat(1000)}\n`.repeat(20_000))
    await expect(tablesOf(packed)).rejects.toThrow(/unpacks to more than \d+ bytes/)
  })

  test('with a table of more columns than PostgreSQL has is refused', async () => {
    const dump = `COPY users (${'a, '.repeat(2000)}a) FROM stdin;\n\\.\n`
    await expect(tablesOf(Buffer.from(dump))).rejects.toThrow('more than 1600 columns')
  })
})
