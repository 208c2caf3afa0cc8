import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskSource, openFilesSource, redisSource, senderSource } from './sources.ts'

test('warns about a nearly full disk and names the free space', async () => {
  expect(await diskSource(tmpdir(), 0)()).toEqual([])
  expect(await diskSource(tmpdir(), Infinity)()).toMatchObject([
    { code: 'diskLow', text: expect.stringMatching(/ \d+\.\d GiB left/) },
  ])
  expect(await diskSource(join(tmpdir(), 'not', 'there'), 1)()).toEqual([])
})

test('warns about few open files', async () => {
  expect(await openFilesSource(null)()).toEqual([])
  expect(await openFilesSource('Few.')()).toMatchObject([
    { code: 'fewOpenFiles', text: expect.stringMatching(/^Few\. Raise/) },
  ])
})

test('reports Redis as unreachable when it does not respond', async () => {
  expect(await redisSource({ ping: async () => {} })()).toEqual([])
  expect(await redisSource({ ping: () => Promise.reject(new Error('no')) })()).toMatchObject([
    { code: 'redisUnreachable' },
  ])
})

test('reports the addresses of senders whose headers suggest a wrong list of trusted proxies', async () => {
  const report = (
    untrustedProxies: readonly string[],
    dominant: { address: string; percent: number } | null,
  ) => senderSource({ findings: () => ({ untrustedProxies, dominant }) })()
  expect(await report([], null)).toEqual([])
  expect(await report(['172.17.0.1'], { address: '172.17.0.1', percent: 98 })).toMatchObject([
    { code: 'proxyNotTrusted', text: expect.stringMatching(/: 172\.17\.0\.1\.$/) },
    { code: 'oneAddressDominates', text: expect.stringMatching(/: 172\.17\.0\.1 \(98%\)\.$/) },
  ])
})
