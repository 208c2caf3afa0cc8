import { readFile } from 'node:fs/promises'
import type { Log } from '../../lib/log.ts'
import { createSlots } from '../../lib/slots.ts'

const SIDE = 256
/** A phone's largest picture. One of these decoded takes up to half a gigabyte. */
const MAX_PIXELS = 64_000_000
/** Decoding the largest takes two or three. */
const LIMIT_S = 10

/**
 * What browsers and telephones send. All else is refused before its decoder sees a byte: SVG would load what it names,
 * and one kilobyte of AVIF can ask for seconds of work.
 */
const LOADERS = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']

export interface Pictures {
  /**
   * The file as a WebP of 256 by 256, cut to fill it, upright and without metadata; of a moving picture the first
   * frame. Null when it is no picture, or one too large to decode.
   */
  render(path: string): Promise<Buffer | null>
}

/** One picture at a time: the others wait on disk, and beyond a bound they are refused. */
export function createPictures(log: Log): Pictures {
  const run = createSlots({ slots: 1, maxQueue: 100 })
  return {
    render: (path) =>
      run(async () => {
        const [sharp, content] = await Promise.all([loadSharp(), readFile(path)])
        try {
          // What it is follows from the content. Of broken files, none is taken half.
          return await sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
            .autoOrient()
            .resize(SIDE, SIDE, { fit: 'cover' })
            .webp()
            .timeout({ seconds: LIMIT_S })
            .toBuffer()
        } catch (error) {
          log.info({ err: error }, 'an avatar could not be read')
          return null
        }
      }),
  }
}

let loaded: ReturnType<typeof prepareSharp> | undefined

/**
 * With the first picture: many deployments never get one in their first minutes. Once in a process, whose settings these
 * are: while decoders are blocked and unblocked, no other picture could be read.
 */
function loadSharp() {
  loaded ??= prepareSharp()
  return loaded
}

async function prepareSharp() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  // No picture comes twice, and the other cores are for requests.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
