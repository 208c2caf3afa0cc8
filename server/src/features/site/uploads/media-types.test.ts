import { expect, test } from 'vitest'
import { mediaTypeOf } from './media-types.ts'

/** Types that browsers run, apply or open as a page, even with `nosniff`. */
const ACTIVE = /javascript|ecmascript|text\/css|html|\/xml|xslt|manifest|event-stream|multipart/

test.each(
  '.js .JS .mjs .cjs .css .html .htm .xhtml .shtml .xml .xsl .xslt .mml .swf .hta .webmanifest .appcache'.split(
    ' ',
  ),
)('a file that ends with %s has no type that browsers execute', (extension) => {
  expect(mediaTypeOf(extension)).not.toMatch(ACTIVE)
})

test('pictures, audio, archives and text have their types', () => {
  expect(mediaTypeOf('.PNG')).toBe('image/png')
  expect(mediaTypeOf('.svg')).toBe('image/svg+xml; charset=utf-8')
  expect(mediaTypeOf('.zip')).toBe('application/zip')
  expect(mediaTypeOf('.py')).toBe('text/plain; charset=utf-8')
  expect(mediaTypeOf('.unknown')).toBe('application/octet-stream')
})
