import { expect, test } from 'vitest'
import { extensionOf } from './fetch-picture.ts'

const found = (start: string) => extensionOf(Buffer.from(start, 'latin1'))

test.each([
  ['png', '\x89PNG\r\n\x1a\n…'],
  ['jpg', '\xff\xd8\xff\xe0'],
  ['gif', 'GIF89a…'],
  ['webp', 'RIFF\x01\x02\x03\x04WEBPVP8 '],
  ['avif', '\0\0\0\x1cftypavif'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['svg', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made by hand --><!DOCTYPE svg>\n<svg>'],
])('recognises %s by its content', (extension, start) => expect(found(start)).toBe(extension))

test.each(['', '<html><svg></svg></html>', '<svgx>', '<!-- <svg> -->', 'PNG', '%PDF-1.7', '{"a":1}', 'BM'])(
  '%j is no picture',
  (start) => expect(found(start)).toBeNull(),
)

test('hostile beginnings are decided at once', () => {
  const before = performance.now()
  for (const part of ['<!--', '<!---->', '<!DOCTYPE ', ' ', '<?xml'])
    expect(found(part.repeat(100_000))).toBeNull()
  expect(performance.now() - before).toBeLessThan(1000)
})
