import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCaches } from '../../lib/caching.ts'
import { preparedBytes } from './prepared.ts'
import { splice } from './splice.ts'

const MARKER = '"x":"'
const part = fc.string({ maxLength: 3000, unit: 'binary' }).filter((text) => !text.includes(MARKER))
const texts = fc.array(fc.base64String({ maxLength: 500 }), { minLength: 1, maxLength: 3 })

test('the joined gzip contains exactly the body, wherever and whatever is inserted', async () => {
  await fc.assert(
    fc.asyncProperty(part, part, texts, async (before, after, inserted) => {
      const template = preparedBytes(Buffer.from(before + MARKER + after))
      for (const text of inserted) {
        const made = splice(template, MARKER, text)
        const wanted = Buffer.from(before + MARKER + text + after)
        expect(made.body.equals(wanted)).toBe(true)
        const buffer = Buffer.alloc(wanted.length + 3)
        made.once?.writeTo(buffer)
        expect(buffer.equals(Buffer.concat([wanted, Buffer.alloc(3)]))).toBe(true)
        expect(made.once?.sizeBytes).toBe(wanted.length)
        const bytes = await made.once?.gzip()
        expect(bytes && gunzipSync(bytes).equals(wanted)).toBe(true)
        const again = await withoutCaches(async () => await splice(template, MARKER, text).once?.gzip())
        expect(again).toEqual(bytes)
      }
    }),
  )
})

test('a text that does not fit into a stored block is refused', () => {
  expect(() => splice(preparedBytes(Buffer.from(MARKER)), MARKER, 'x'.repeat(70_000))).toThrow(RangeError)
})
