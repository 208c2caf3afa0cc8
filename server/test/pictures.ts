import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'avif'

/** A single-colour picture in the format that a camera or a browser would send. */
export function makePicture(format: PictureFormat, background: string, side = 40): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A black PNG of any dimensions in few bytes. */
export function makeHugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit per pixel, greyscale.
  header[8] = 1
  const rowBytes = 1 + Math.ceil(width / 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rowBytes * height), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

/** Mean red, green and blue; compression artifacts average out. */
export async function colourOf(picture: Buffer): Promise<number[]> {
  const { channels } = await sharp(picture).removeAlpha().stats()
  return channels.map(({ mean }) => Math.round(mean / 51) * 51)
}
