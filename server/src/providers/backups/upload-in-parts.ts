import { encodeXML } from 'entities'
import { failureOf, fieldOf, type BucketClient } from '../uploads/bucket-client.ts'
import type { StagedFile } from '../uploads/uploads.ts'

/** Smaller files are one request. A broken connection repeats one part. */
export const PART_BYTES = 32 * 1024 ** 2
/** The stores accept no more, and parts of at most 5 GiB. */
const MAX_PARTS = 10_000

const NO_CONTENT = Buffer.alloc(0)

interface Upload {
  readonly service: string
  readonly client: BucketClient
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Stores a file as a multipart upload, one part at a time, so that it may be larger than one request. The object appears
 * when it is whole; after a failure the parts are removed. Throws `ProviderError`.
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html, which the other stores follow.
 */
export async function uploadInParts(file: StagedFile, upload: Upload): Promise<void> {
  const { service, client, key, headers } = upload
  const began = await client.send('POST', { key, query: '?uploads' }, { body: NO_CONTENT, headers })
  const id = fieldOf(began.text, 'UploadId')
  if (began.status >= 300 || id === '') throw failureOf(service, 'the beginning of an upload', began)
  const query = `uploadId=${encodeURIComponent(id)}`
  try {
    await complete(file, upload, { query, etags: await sendParts(file, upload, query) })
  } catch (error) {
    // Stores charge for parts until they are removed. The failure itself matters more than that of its cleanup.
    await client.send('DELETE', { key, query: `?${query}` }).catch(() => {})
    throw error
  }
}

async function sendParts({ path, size }: StagedFile, { service, client, key }: Upload, query: string) {
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
  const etags: string[] = []
  for (let start = 0; start < size; start += partBytes) {
    const body = { path, start, size: Math.min(partBytes, size - start) }
    const number = etags.length + 1
    const sent = await client.send(
      'PUT',
      { key, query: `?partNumber=${number}&${query}` },
      { body, headers: {} },
    )
    if (sent.status >= 300 || sent.etag === '') throw failureOf(service, `part ${number}`, sent)
    etags.push(sent.etag)
  }
  return etags
}

interface Sent {
  readonly query: string
  readonly etags: readonly string[]
}

async function complete({ size }: StagedFile, { service, client, key }: Upload, { query, etags }: Sent) {
  const parts = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${encodeXML(etag)}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const headers = { 'content-type': 'application/xml' }
  const completed = await client.send('POST', { key, query: `?${query}` }, { body, headers })
  // A store that needs long answers 200 first, and an error in the text after it.
  if (completed.status < 300 && completed.code === '') return
  if (completed.code === 'NoSuchUpload') {
    // A repeated request, after the response to the first one was lost.
    const stored = await client.send('HEAD', key)
    if (stored.status === 200 && stored.size === size) return
  }
  throw failureOf(service, 'the end of an upload', completed)
}
