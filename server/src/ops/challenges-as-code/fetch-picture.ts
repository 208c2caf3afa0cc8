import { createHash } from 'node:crypto'
import { reasonOf } from '../../lib/reason.ts'

const MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 20_000
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
}

/** Fetches a picture on the machine of the caller. Its name is made of its content. */
export async function fetchPicture(
  address: string,
): Promise<{ readonly name: string; readonly content: Buffer } | { readonly problem: string }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const extension = EXTENSIONS[type.trim().toLowerCase()]
    if (!response.ok) return { problem: `could not be fetched: the site responded with ${response.status}` }
    if (extension === undefined)
      return { problem: `could not be fetched: ${JSON.stringify(type)} is no picture` }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) return { problem: 'could not be fetched: it is larger than 10 MB' }
      chunks.push(chunk)
    }
    const content = Buffer.concat(chunks)
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
    return { name: `${hash}.${extension}`, content }
  } catch (error) {
    return { problem: `could not be fetched: ${reasonOf(error)}` }
  }
}
