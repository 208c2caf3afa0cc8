import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCaches } from '../../lib/caching.ts'
import { createBodyPool } from './body-pool.ts'
import { createWriter, gzipBy, partOf, writtenBy, type Sink } from './joined.ts'

const pool = createBodyPool()
const writer = createWriter(pool)
const unicode = fc.string({ maxLength: 3000, unit: 'binary' })
const pieces = fc.array(
  fc.oneof(
    unicode.map((text) => ({ kind: 'part' as const, text, part: partOf(text) })),
    unicode.map((text) => ({ kind: 'text' as const, text })),
    unicode.map((text) => ({ kind: 'bytes' as const, text })),
  ),
  { maxLength: 30 },
)

function writing(list: typeof pieces extends fc.Arbitrary<infer T> ? T : never) {
  return (sink: Sink) => {
    for (const piece of list) {
      if (piece.kind === 'part') sink.part(piece.part)
      else if (piece.kind === 'text') sink.text(piece.text)
      else sink.bytes(Buffer.from(piece.text))
    }
  }
}

test('the body and its gzip contain exactly the parts, texts and bytes, whatever size was expected', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(20_000), async (list, expectedBytes) => {
      const wanted = Buffer.from(list.map(({ text }) => text).join(''))
      const parts = { kind: 'joined' as const, etag: '', expectedBytes, write: writing(list) }
      const { lease, length } = writtenBy(writer, parts)
      expect(lease.subarray(0, length).equals(wanted)).toBe(true)
      pool.release(lease)
      // Compressed now, kept before, and not kept.
      const gzips = [
        await gzipBy(writer, parts),
        gzipBy(writer, parts),
        await withoutCaches(async () => await gzipBy(writer, parts)),
      ]
      for (const made of gzips) {
        expect(made).not.toBeInstanceOf(Promise)
        const bytes = await made
        expect(gunzipSync(bytes.lease.subarray(0, bytes.length)).equals(wanted)).toBe(true)
        pool.release(bytes.lease)
      }
    }),
  )
})

test('texts that are longer than a stored block are divided', async () => {
  const long = `${'🏴'.repeat(40_000)}x`
  const parts = {
    kind: 'joined' as const,
    etag: '',
    expectedBytes: 10,
    write: ({ text }: Sink) => text(long),
  }
  const { lease, length } = await gzipBy(writer, parts)
  expect(gunzipSync(lease.subarray(0, length)).toString()).toBe(long)
})
