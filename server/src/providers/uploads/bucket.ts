import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ProviderError, type ProviderContext } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'
import { openStagingFolder } from './staging-folder.ts'
import type { StagedFile, StoredFile, Uploads } from './uploads.ts'

/** A request to a store, before credentials are added. */
export interface BucketRequest {
  readonly method: 'HEAD' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** An S3-compatible object store. */
export interface Bucket {
  /** The provider's name, for messages. */
  readonly service: string
  /** The URL of the objects for the server, without a trailing slash. */
  readonly address: string
  /** Their public URL; null when they are private and callers get signed URLs. */
  readonly publicAddress: string | null
  /** Headers that make an object public, if the store supports per-object ACLs. */
  readonly publicHeaders: Readonly<Record<string, string>>
  authorize(request: BucketRequest): Promise<Headers>
  /** Signs a URL that gives anyone temporary access to an object. */
  signUrl(url: string): Promise<string>
}

/** An object's content never changes, and a browser must not display it inline. */
const HEADERS = {
  'cache-control': 'public, max-age=31557600, immutable',
  'content-disposition': 'attachment',
}

/** Newer buckets disable per-object ACLs and refuse them with one of these status codes. */
const RULES_REFUSED = [400, 403, 501]

const SHORT_LIMIT_MS = 15_000
/** A connection slower than this is considered broken. */
const SLOWEST_BYTES_PER_MS = 100

/** Busy stores respond with 503 and expect a retry. */
const MAX_TRIES = 3
const PAUSE_MS = 300
const MAX_ANSWER_BYTES = 64 * 1024

/** Uploads in a bucket, under `uploads/`. Files are streamed from disk to the store. */
export async function bucketUploads(bucket: Bucket, context: ProviderContext): Promise<Uploads> {
  const { service, address, publicAddress, publicHeaders } = bucket
  let ownRules = publicHeaders
  const shownAt = (key: string) => (publicAddress ?? '') + pathOf(key)

  function send(method: BucketRequest['method'], key: string, content?: Content): Promise<BucketResponse> {
    return ask({ bucket, context, method, url: address + pathOf(key), content })
  }

  async function find(key: string): Promise<StoredFile | null> {
    const { status, size, code } = await send('HEAD', key)
    // Without permission to list the bucket, stores respond with 403 for a missing object.
    if (status === 404 || status === 403) return null
    if (status !== 200) throw failureOf(service, 'HEAD', { status, code })
    return { url: shownAt(key), size }
  }

  function putWith(
    rules: Bucket['publicHeaders'],
    key: string,
    body: Buffer | StagedFile,
  ): Promise<BucketResponse> {
    const type = key.startsWith('avatars/') ? 'image/webp' : 'application/octet-stream'
    return send('PUT', key, { body, headers: { ...HEADERS, ...rules, 'content-type': type } })
  }

  async function put(key: string, body: Buffer | StagedFile): Promise<void> {
    const result = await putWith(ownRules, key, body)
    if (result.status < 300) return
    if (Object.keys(ownRules).length > 0 && RULES_REFUSED.includes(result.status)) {
      const { status } = await putWith({}, key, body)
      if (status < 300) {
        ownRules = {}
        context.log.warn(
          { provider: service },
          'the bucket does not support object ACLs, so the bucket itself must be public',
        )
        return
      }
    }
    throw failureOf(service, 'PUT', result)
  }

  return {
    stagingFolder: await openStagingFolder(join(context.dataDir, 'staging'), context.now()),
    servedFolder: null,
    signedUrl: publicAddress === null ? (key) => bucket.signUrl(address + pathOf(key)) : null,
    find,
    contents: null,

    async store(key, content) {
      const present = await find(key)
      if (present) return present
      await put(key, content)
      return { url: shownAt(key), size: sizeOf(content) }
    },

    async remove(key) {
      const result = await send('DELETE', key)
      if (result.status >= 300 && result.status !== 404) throw failureOf(service, 'DELETE', result)
    },
  }
}

interface Content {
  readonly body: Buffer | StagedFile
  readonly headers: Readonly<Record<string, string>>
}

interface Question {
  readonly bucket: Bucket
  readonly context: ProviderContext
  readonly method: BucketRequest['method']
  readonly url: string
  readonly content: Content | undefined
}

interface BucketResponse {
  readonly status: number
  readonly size: number
  /** The store's error code. */
  readonly code: string
}

/** Retries when the store is busy or the connection broke: all requests are idempotent. */
async function ask(question: Question): Promise<BucketResponse> {
  for (let tries = 1; ; tries++) {
    const result = await askOnce(question)
    if (result !== null && result.status < 500 && result.status !== 429) return result
    if (tries === MAX_TRIES) {
      if (result) return result
      throw new ProviderError(`${question.bucket.service}: no response to ${question.method}`)
    }
    await delay(PAUSE_MS * tries)
  }
}

async function askOnce({ bucket, context, method, url, content }: Question): Promise<BucketResponse | null> {
  const size = content ? sizeOf(content.body) : 0
  // Stores require the length before the content.
  const length: Record<string, string> = content ? { 'content-length': String(size) } : {}
  const headers = await bucket.authorize({ method, url, headers: { ...content?.headers, ...length } })
  const signal = AbortSignal.timeout(SHORT_LIMIT_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS))
  const sent = content ? { body: bodyOf(content.body), duplex: 'half' as const } : {}
  try {
    const response = await context.fetch(url, { method, headers, signal, redirect: 'manual', ...sent })
    const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString()
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? []
    return { status: response.status, size: Number(response.headers.get('content-length') ?? 0), code }
  } catch {
    return null
  }
}

function bodyOf(content: Buffer | StagedFile) {
  return Buffer.isBuffer(content) ? new Uint8Array(content) : Readable.toWeb(createReadStream(content.path))
}

function sizeOf(content: Buffer | StagedFile): number {
  return Buffer.isBuffer(content) ? content.length : content.size
}

function failureOf(
  service: string,
  method: string,
  { status, code }: Pick<BucketResponse, 'status' | 'code'>,
) {
  return new ProviderError(`${service}: the response to ${method} was ${[status, code].join(' ').trim()}`)
}

function pathOf(key: string): string {
  return `/uploads/${key.split('/').map(encodeSegment).join('/')}`
}

/** Escapes every character that may be escaped, as signatures require. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
