import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { decodeXML } from 'entities'
import { setTimer } from '../../lib/set-timer.ts'
import { ProviderError, type ProviderContext } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'
import type { StagedFile } from './uploads.ts'

/** A request to a store, before credentials are added. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** An S3-compatible object store. */
export interface Bucket {
  /** The provider's name, for messages. */
  readonly service: string
  /** The URL of the objects for the server, without a trailing slash. */
  readonly address: string
  authorize(request: BucketRequest): Promise<Headers>
  /** Signs a URL that gives anyone temporary access to an object. */
  signUrl(url: string): Promise<string>
}

/** Some bytes of a file. */
export interface FilePart extends StagedFile {
  readonly start: number
}

export interface Content {
  readonly body: Buffer | StagedFile | FilePart
  readonly headers: Readonly<Record<string, string>>
}

export interface BucketResponse {
  readonly status: number
  readonly size: number
  /** The store's error code. */
  readonly code: string
  /** Identifies the stored bytes; empty if the store sent none. */
  readonly etag: string
  readonly text: string
}

export interface BucketObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

/** An object, and what about it: `?uploads`. */
export interface Target {
  readonly key: string
  readonly query: string
}

/** Requests to a bucket. Keys are full object names, such as `uploads/<sha256>/<name>`. */
export interface BucketClient {
  send(
    method: 'HEAD' | 'PUT' | 'POST' | 'DELETE',
    target: string | Target,
    content?: Content,
  ): Promise<BucketResponse>
  /** All objects whose keys begin with the prefix. Throws `ProviderError`. */
  list(prefix: string): AsyncGenerator<BucketObject>
  /** The content of an object; null if it does not exist. Throws `ProviderError`, also in the middle. */
  open(key: string): Promise<AsyncIterable<Buffer> | null>
}

const SHORT_LIMIT_MS = 15_000
/** A connection slower than this is considered broken. */
const SLOWEST_BYTES_PER_MS = 100
/** A download that pauses for longer is considered broken. */
const STALL_MS = 30_000

/** Busy stores respond with 503 and expect a retry. */
const MAX_TRIES = 3
const PAUSE_MS = 300
/** A page of a list has up to 1,000 keys of up to 1,024 bytes, which may be escaped. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
/** Ten million objects. */
const MAX_PAGES = 10_000

export function bucketClient(bucket: Bucket, context: ProviderContext): BucketClient {
  const { service, address } = bucket
  const sendRequest = createSender(bucket, context)

  async function page(prefix: string, token: string): Promise<string> {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix,
      ...(token && { 'continuation-token': token }),
    })
    // Signatures are computed for %20.
    const { response, limit } = await sendRequest(
      'GET',
      `${address}/?${String(query).replaceAll('+', '%20')}`,
    )
    const text = await readText(response, limit)
    if (response.status !== 200)
      throw failureOf(service, 'the list', { status: response.status, code: codeIn(text) })
    return text
  }

  return {
    async send(method, target, content) {
      const { key, query } = typeof target === 'string' ? { key: target, query: '' } : target
      const { response, limit } = await sendRequest(method, address + pathOf(key) + query, content)
      const { status, headers } = response
      const text = await readText(response, limit)
      const size = Number(headers.get('content-length') ?? 0)
      return { status, size, code: codeIn(text), etag: headers.get('etag') ?? '', text }
    },

    async *list(prefix) {
      let token = ''
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const text = await page(prefix, token)
        for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield { key: fieldOf(object, 'Key'), size: Number(fieldOf(object, 'Size')) }
        token = fieldOf(text, 'NextContinuationToken')
        if (token === '') return
      }
      throw new ProviderError(`${service}: the bucket has too many objects`)
    },

    async open(key) {
      const { response, limit } = await sendRequest('GET', address + pathOf(key))
      if (response.status === 200) return chunksOf(service, response, limit)
      const code = codeIn(await readText(response, limit))
      if (response.status === 404) return null
      throw failureOf(service, 'GET', { status: response.status, code })
    },
  }
}

type SendRequest = (method: BucketRequest['method'], url: string, content?: Content) => Promise<Received>

function createSender(bucket: Bucket, context: ProviderContext): SendRequest {
  async function requestOnce(
    method: BucketRequest['method'],
    url: string,
    content: Content | undefined,
  ): Promise<Received | Broken> {
    const size = content ? sizeOf(content.body) : 0
    // Stores require the length before the content.
    const length: Record<string, string> = content ? { 'content-length': String(size) } : {}
    const headers = await bucket.authorize({ method, url, headers: { ...content?.headers, ...length } })
    const limit = createLimit(SHORT_LIMIT_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS))
    const sent = content ? { body: bodyOf(content.body), duplex: 'half' as const } : {}
    try {
      const options = { method, headers, signal: limit.signal, redirect: 'manual' as const, ...sent }
      return { response: await context.fetch(url, options), limit }
    } catch (error) {
      limit.end()
      return { error }
    }
  }

  /** Retries when the store is busy or the connection broke: every request may be repeated. */
  return async function sendRequest(method, url, content) {
    for (let tries = 1; ; tries++) {
      const result = await requestOnce(method, url, content)
      if ('response' in result && result.response.status < 500 && result.response.status !== 429)
        return result
      if (tries === MAX_TRIES) {
        if ('response' in result) return result
        throw new ProviderError(`${bucket.service}: no response to ${method}`, { cause: result.error })
      }
      if ('response' in result) {
        result.limit.end()
        await result.response.body?.cancel()
      }
      await delay(PAUSE_MS * tries)
    }
  }
}

interface Received {
  readonly response: Response
  readonly limit: Limit
}

interface Broken {
  readonly error: unknown
}

/** Aborts a request unless it is extended or ended in time. */
interface Limit {
  readonly signal: AbortSignal
  extend(): void
  end(): void
}

function createLimit(ms: number): Limit {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let cancel = setTimer(ms, abort)
  return {
    signal: controller.signal,
    extend() {
      cancel()
      cancel = setTimer(STALL_MS, abort)
    },
    end: () => cancel(),
  }
}

async function readText(response: Response, limit: Limit): Promise<string> {
  try {
    return (await readBounded(response, MAX_RESPONSE_BYTES)).toString()
  } catch (cause) {
    throw new ProviderError('a response of the store ended too early', { cause })
  } finally {
    limit.end()
  }
}

async function* chunksOf(service: string, response: Response, limit: Limit): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response.body ?? []) {
      limit.extend()
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      limit.extend()
    }
  } catch (cause) {
    throw new ProviderError(`${service}: a download ended too early`, { cause })
  } finally {
    limit.end()
  }
}

function bodyOf(content: Content['body']) {
  if (Buffer.isBuffer(content)) return new Uint8Array(content)
  const part = 'start' in content ? { start: content.start, end: content.start + content.size - 1 } : {}
  return Readable.toWeb(createReadStream(content.path, part))
}

export function sizeOf(content: Content['body']): number {
  return Buffer.isBuffer(content) ? content.length : content.size
}

export function failureOf(
  service: string,
  request: string,
  { status, code }: Pick<BucketResponse, 'status' | 'code'>,
) {
  return new ProviderError(`${service}: the response to ${request} was ${[status, code].join(' ').trim()}`)
}

function codeIn(text: string): string {
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
}

/** The text of the first element with this name. */
export function fieldOf(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml) ?? []
  return decodeXML(text)
}

export function pathOf(key: string): string {
  return `/${key.split('/').map(encodeSegment).join('/')}`
}

/** Escapes every character that may be escaped, as signatures require. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
