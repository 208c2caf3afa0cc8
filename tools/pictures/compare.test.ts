import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/folder.ts'
import { compareFolders } from './compare.ts'

const SIZE = { width: 100, height: 100, channels: 3 } as const
const plain = sharp({ create: { ...SIZE, background: '#0f1420' } }).png()

function withDot(size: number) {
  const dot = { create: { width: size, height: size, channels: 3, background: '#ffffff' } } as const
  return plain.clone().composite([{ input: dot, left: 1, top: 1 }])
}

test('a picture differs if more than a thousandth of its pixels or its size differ, or if it is new', async () => {
  await using folder = await temporaryFolder()
  const [now, before] = [join(folder.path, 'now'), join(folder.path, 'before')]
  await Promise.all([mkdir(now), mkdir(before)])
  for (const name of ['same', 'speck', 'stain', 'grown'])
    await plain.clone().toFile(join(before, `${name}.png`))
  await plain.clone().toFile(join(now, 'same.png'))
  await withDot(3).toFile(join(now, 'speck.png'))
  await withDot(4).toFile(join(now, 'stain.png'))
  await plain.clone().resize(100, 120).toFile(join(now, 'grown.png'))
  await plain.clone().toFile(join(now, 'new.png'))
  const found = await compareFolders(now, before)
  expect(found.map(({ name }) => name)).toEqual(['grown.png', 'new.png', 'stain.png'])
  expect(found.at(-1)?.share).toBe(0.0016)
})
