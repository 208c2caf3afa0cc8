import { pictureLimits, type LeftPicture } from '@pennant/contract/uploads.ts'
import type { z } from 'zod'
import { fetchPicture, type FetchOptions, type Picture } from './fetch-picture.ts'

export type Left = z.infer<typeof LeftPicture>

/** For the terminal and for reports. The site has its own sentences. */
export const leftTexts: Readonly<Record<Left['reason'], string>> = {
  address: 'could not be fetched: its address is refused',
  unreachable: 'could not be fetched: the site did not respond with it',
  tooLarge: 'could not be fetched: it is larger than 10 MB',
  noPicture: 'could not be fetched: its content is no PNG, JPEG, GIF, WebP, AVIF or SVG picture',
  limit: `was not fetched: at most ${pictureLimits.count} pictures of 100 MB together are fetched, in two minutes`,
  notStored: 'could not be stored',
}

export interface FetchedPictures {
  /** What the texts have instead, by address. */
  readonly stored: ReadonlyMap<string, string>
  readonly left: readonly Left[]
}

interface Fetching extends FetchOptions {
  /** Stores a picture and returns what the texts have instead of its address; null if it could not be stored. */
  readonly store: (picture: Picture, address: string) => Promise<string | null>
}

/** Each is in memory until it is stored. */
const MAX_AT_ONCE = 4

/** Fetches and stores pictures of other sites within `pictureLimits`; the last ones may exceed their bytes. */
export async function fetchPictures(
  addresses: readonly string[],
  { store, mayConnect, signal }: Fetching,
): Promise<FetchedPictures> {
  const unique = [...new Set(addresses)]
  const results = new Map<string, string>()
  const failures = new Map<string, Left['reason']>()
  const end = AbortSignal.any([AbortSignal.timeout(pictureLimits.ms), ...(signal ? [signal] : [])])
  const waiting = unique.slice(0, pictureLimits.count).values()
  let bytes = 0
  const work = async () => {
    for (const address of waiting) {
      if (end.aborted || bytes >= pictureLimits.bytes) return
      const fetched = await fetchPicture(address, { ...(mayConnect && { mayConnect }), signal: end })
      if ('failure' in fetched) {
        if (!end.aborted) failures.set(address, fetched.failure)
        continue
      }
      bytes += fetched.content.length
      const stored = await store(fetched, address)
      if (stored === null) failures.set(address, 'notStored')
      else results.set(address, stored)
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work))
  const left = unique.filter((address) => !results.has(address))
  return {
    stored: results,
    left: left.map((address) => ({ address, reason: failures.get(address) ?? 'limit' })),
  }
}
