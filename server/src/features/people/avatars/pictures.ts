import { readFile } from 'node:fs/promises'
import type { Log } from '../../../lib/log.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'

const SIDE = 256
/** 4,096 × 4,096. A decoded pixel takes 4 to 8 bytes, so one picture uses at most about 128 MB of memory. */
const MAX_PIXELS = 4096 * 4096
/** Decoding the largest picture takes less than a second. */
const LIMIT_S = 10
/** About two pictures are decoded per second. With a longer queue, clients at the end would time out. */
const MAX_QUEUE = 32

/**
 * Formats that browsers and phones send. Others are rejected before a decoder reads a byte: SVG would load
 * external references, and one kilobyte of AVIF can take seconds to decode.
 */
const LOADERS = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']

export interface Pictures {
  /**
   * Renders the file as a WebP of 256 × 256 pixels, cropped to fill, with the orientation applied and the
   * metadata removed. Uses the first frame of an animation. Null if the file is not a picture or is too large
   * to decode.
   */
  render(path: string): Promise<Buffer | null>
}

/** Decodes one picture at a time. Others wait on disk; when the queue is full, they are rejected. */
export function createPictures(log: Log): Pictures {
  const run = createSemaphore({ slots: 1, maxQueue: MAX_QUEUE })
  return {
    render: (path) =>
      run(async () => {
        const [sharp, content] = await Promise.all([loadSharp(), readFile(path)])
        try {
          // sharp detects the format from the content. A truncated file is rejected, not decoded partially.
          return await sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
            .autoOrient()
            .resize(SIDE, SIDE, { fit: 'cover' })
            .webp()
            .timeout({ seconds: LIMIT_S })
            .toBuffer()
        } catch (error) {
          log.info({ err: error }, 'could not decode an avatar')
          return null
        }
      }),
  }
}

let loaded: ReturnType<typeof prepareSharp> | undefined

/**
 * Loaded with the first picture, because many deployments get none in their first minutes. Loaded once per
 * process, because the settings are global: while loaders are blocked and unblocked, no other picture can be
 * decoded.
 */
function loadSharp() {
  loaded ??= prepareSharp()
  return loaded
}

async function prepareSharp() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  // The same picture is not decoded twice, so a cache is useless. The other cores are left to requests.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
