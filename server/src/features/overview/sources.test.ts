import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskSource, redisSource } from './sources.ts'

test('a disk with less than is needed is told with what it has left', async () => {
  expect(await diskSource(tmpdir(), 0)()).toEqual([])
  expect(await diskSource(tmpdir(), Infinity)()).toMatchObject([
    { code: 'diskLow', text: expect.stringMatching(/ \d+\.\d GiB left/) },
  ])
  expect(await diskSource(join(tmpdir(), 'not', 'there'), 1)()).toEqual([])
})

test('Redis is away when it does not answer', async () => {
  expect(await redisSource({ ping: async () => {} })()).toEqual([])
  expect(await redisSource({ ping: () => Promise.reject(new Error('no')) })()).toMatchObject([
    { code: 'redisAway' },
  ])
})
