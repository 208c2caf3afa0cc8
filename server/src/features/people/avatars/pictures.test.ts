import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { recordLog } from '../../../../test/log.ts'
import { colourOf, makeHugePng, makePicture } from '../../../../test/pictures.ts'
import { UnavailableError } from '../../../lib/errors.ts'
import { createPictures } from './pictures.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

const pictures = createPictures(recordLog().log)
let files = 0

async function write(content: Buffer | string): Promise<string> {
  const path = join(folder.path, `${++files}.html`)
  await writeFile(path, content)
  return path
}

const render = async (content: Buffer | string) => pictures.render(await write(content))

async function rendered(content: Buffer): Promise<Buffer> {
  const picture = await render(content)
  if (!picture) throw new Error('not rendered')
  return picture
}

const shape = { format: 'webp', width: 256, height: 256 }

describe.each(['png', 'jpeg', 'gif', 'webp'] as const)('%s', (format) => {
  test('is converted to a WebP of 256 by 256 pixels, regardless of the file name', async () => {
    const picture = await rendered(await makePicture(format, '#3366cc'))
    expect(await sharp(picture).metadata()).toMatchObject(shape)
    expect(await colourOf(picture)).toEqual([51, 102, 204])
  })

  test('is refused if it is truncated', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const create = { width: 300, height: 300, channels: 3, background: '#000', noise } as const
    const content = await sharp({ create }).toFormat(format).toBuffer()
    expect(await render(content)).not.toBeNull()
    for (const part of [0.95, 0.6, 0.3, 0.1, 0.01]) {
      expect(await render(content.subarray(0, Math.floor(content.length * part))), `${part}`).toBeNull()
    }
  })
})

test('a picture of one pixel fills the square, and an elongated one is cropped', async () => {
  expect(await colourOf(await rendered(await makePicture('png', '#ff0000', 1)))).toEqual([255, 0, 0])
  const red = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#f00' } })
    .extend({ left: 300, right: 300, background: '#00f' })
    .png()
    .toBuffer()
  const picture = await rendered(red)
  expect(await sharp(picture).metadata()).toMatchObject(shape)
  expect(await colourOf(picture)).toEqual([255, 0, 0])
})

test('keeps transparency', async () => {
  const create = { width: 20, height: 20, channels: 4, background: '#0000' } as const
  const { channels } = await sharp(await rendered(await sharp({ create }).png().toBuffer())).stats()
  expect(channels[3]?.max).toBe(0)
})

test('keeps the first frame of an animation', async () => {
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map((colour) => makePicture('png', colour)))
  for (const format of ['gif', 'webp'] as const) {
    const moving = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(3)
    const picture = await rendered(moving)
    expect((await sharp(picture, { animated: true }).metadata()).pages ?? 1).toBe(1)
    expect(await colourOf(picture)).toEqual([255, 0, 0])
  }
})

test('drops the metadata after applying the orientation', async () => {
  const upper = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
    .extend({ bottom: 20, background: '#00f' })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 3 })
    .toBuffer()
  expect((await sharp(upper).metadata()).exif).toBeDefined()
  const picture = await rendered(upper)
  const { exif, icc, xmp, orientation } = await sharp(picture).metadata()
  expect({ exif, icc, xmp, orientation }).toEqual({})
  expect(picture.includes('somebody')).toBe(false)
  const top = await sharp(picture).extract({ left: 0, top: 0, width: 256, height: 100 }).toBuffer()
  expect(await colourOf(top)).toEqual([0, 0, 255])
})

describe('refuses', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    [
      'a page behind the first bytes of a picture',
      Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]),
    ],
    ['a document', '%PDF-1.7\n1 0 obj\n'],
    ['zeros', Buffer.alloc(10_000)],
  ])('%s', async (_name, content) => {
    expect(await render(content)).toBeNull()
  })

  test('formats that are not supported although the decoder knows them', async () => {
    expect(await render(await makePicture('tiff', '#fff'))).toBeNull()
    expect(await render(await makePicture('avif', '#fff'))).toBeNull()
  })

  test('an SVG without loading anything that it references', async () => {
    let loaded = 0
    const server = createServer((_request, response) => response.end(String(++loaded)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const secret = await write(await makePicture('png', '#fff'))
    const images = [`http://127.0.0.1:${port}/x.png`, `file://${secret}`]
      .map((href) => `<image href="${href}" width="9" height="9"/>`)
      .join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${images}</svg>`
    expect(await render(svg)).toBeNull()
    expect(await render(`<?xml version="1.0"?>\n${svg}`)).toBeNull()
    server.close()
    expect(loaded).toBe(0)
  })

  test('more than 16 megapixels, however small the file', async () => {
    const bomb = makeHugePng(30_000, 30_000)
    expect(bomb.length).toBeLessThan(1_048_576)
    expect(await render(bomb)).toBeNull()
    expect(await render(makeHugePng(4096, 4097))).toBeNull()
    expect(await render(makeHugePng(4096, 4096))).not.toBeNull()
  })
})

test('queues part of a burst and refuses pictures beyond the limit', async () => {
  const path = await write(await makePicture('png', '#fff'))
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => pictures.render(path)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason instanceof UnavailableError)).toEqual(Array(7).fill(true))
  expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(33)
})
