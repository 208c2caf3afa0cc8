import { pictureLimits } from '@pennant/contract/uploads.ts'
import { expect, test } from 'vitest'
import { otherSite, PNG } from '../../../../test/other-site.ts'
import { fetchPictures } from './fetch-pictures.ts'

const addressOf = (number: number) => `http://pictures.example/${number}`

test('a limited number of pictures is fetched, each once', async () => {
  let requests = 0
  await otherSite((_, response) => {
    requests++
    response.end(PNG)
  })
  const addresses = Array.from({ length: pictureLimits.count + 2 }, (_, number) => addressOf(number))
  const { stored, left } = await fetchPictures([...addresses, addressOf(0)], {
    store: (_, address) => Promise.resolve(address === addressOf(1) ? null : 'stored'),
  })
  expect(requests).toBe(pictureLimits.count)
  expect(stored.size).toBe(pictureLimits.count - 1)
  expect(left).toEqual([
    { address: addressOf(1), reason: 'notStored' },
    { address: addressOf(pictureLimits.count), reason: 'limit' },
    { address: addressOf(pictureLimits.count + 1), reason: 'limit' },
  ])
})

test('fetching ends at the limit of bytes', async () => {
  const megabytes = 8
  const content = Buffer.concat([PNG, Buffer.alloc(megabytes * 1024 * 1024)])
  await otherSite((_, response) => response.end(content))
  const addresses = Array.from({ length: 30 }, (_, number) => addressOf(number))
  const { stored, left } = await fetchPictures(addresses, { store: () => Promise.resolve('stored') })
  expect(stored.size * content.length).toBeLessThan(pictureLimits.bytes + 4 * content.length)
  expect(left.map(({ reason }) => reason)).toContain('limit')
})

test('fetching ends when no one waits for it', async () => {
  const gone = new AbortController()
  await otherSite(() => gone.abort())
  const { left } = await fetchPictures([addressOf(0), addressOf(1)], {
    signal: gone.signal,
    store: () => Promise.resolve('stored'),
  })
  expect(left.map(({ reason }) => reason)).toEqual(['limit', 'limit'])
})
