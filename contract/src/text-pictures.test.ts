import { expect, test } from 'vitest'
import {
  countHosts,
  picturesElsewhere,
  picturesIn,
  placeOfPicture,
  replacePictures,
} from './text-pictures.ts'

test('pictures are found in Markdown and HTML, not in code', () => {
  const text =
    '![a](x.png "t") <img alt="" src="y.png"> `![b](no.png)`\n```\n![c](no.png)\n```\n![d](<x.png>) [e](f.png)'
  expect(picturesIn(text)).toEqual(['x.png', 'y.png'])
  expect(replacePictures(text, (address) => `/${address}`)).toBe(
    '![a](/x.png "t") <img alt="" src="/y.png"> `![b](no.png)`\n```\n![c](no.png)\n```\n![d](</x.png>) [e](f.png)',
  )
})

test.each([
  ['img/a.png', 'beside'],
  ['../a.png', 'beside'],
  ['/uploads/a.png', 'seen'],
  ['data:image/png;base64,x', 'seen'],
  ['https://files.test/a.png', 'seen'],
  ['https://other.test/a.png', 'elsewhere'],
  ['http://other.test/a.png', 'elsewhere'],
])('%s is %s', (address, place) => {
  expect(placeOfPicture(address, ['https://files.test'])).toBe(place)
})

test('https: in the sources allows all but http', () => {
  expect(placeOfPicture('https://other.test/a.png', ['https:'])).toBe('seen')
  expect(placeOfPicture('http://other.test/a.png', ['https:'])).toBe('elsewhere')
})

test('pictures of other sites are counted by host, each once', () => {
  const text =
    '![](https://b.test/1) ![](https://a.test:8443/1) ![](https://a.test:8443/2) ![](https://b.test/1) ![](x.png) ![](https://files.test/a)'
  const found = picturesElsewhere(text, ['https://files.test'])
  expect(found).toEqual(['https://b.test/1', 'https://a.test:8443/1', 'https://a.test:8443/2'])
  expect(countHosts(found)).toEqual([
    { host: 'a.test:8443', count: 2 },
    { host: 'b.test', count: 1 },
  ])
})
