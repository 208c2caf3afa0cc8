import { createHash } from 'node:crypto'
import { fetchPublic, type FetchFailure, type PublicFetchOptions } from '../../../lib/fetch-public.ts'

const MIB = 1024 * 1024
const LIMITS = { maxBytes: 10 * MIB, timeoutMs: 20_000 }

export interface Picture {
  /** Made of its content. */
  readonly name: string
  readonly sha256: string
  readonly content: Buffer
}

export type PictureFailure = FetchFailure | 'noPicture'

export type FetchOptions = Pick<PublicFetchOptions, 'mayConnect' | 'signal'>

/** Fetches a picture of another site, to store it. What the content is decides, not what the site calls it. */
export async function fetchPicture(
  url: string,
  options: FetchOptions = {},
): Promise<Picture | { readonly failure: PictureFailure }> {
  const content = await fetchPublic(url, { ...LIMITS, ...options })
  if ('failure' in content) return content
  const extension = extensionOf(content)
  if (extension === null) return { failure: 'noPicture' }
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { name: `${sha256.slice(0, 16)}.${extension}`, sha256, content }
}

/** How the formats begin that browsers show in texts. */
const SIGNATURES: readonly (readonly [extension: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n[^]\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['avif', /^[^]{4}ftypavi[fs]/],
  [
    'svg',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>/]/,
  ],
]
/** An SVG picture can begin with a comment. */
const START_BYTES = 2048

/** The extension of a picture by its first bytes; null if it is none. */
export function extensionOf(content: Buffer): string | null {
  const start = content.toString('latin1', 0, START_BYTES)
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0] ?? null
}
