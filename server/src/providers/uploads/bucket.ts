import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ProviderError, type ProviderWorld } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'
import { openStagingFolder } from './staging-folder.ts'
import type { StagedFile, StoredFile, Uploads } from './uploads.ts'

/** A request on its way to a store, to be given its credentials. */
export interface BucketRequest {
  readonly method: 'HEAD' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A store of objects that speaks as S3 does. */
export interface Bucket {
  /** The provider's name, for messages. */
  readonly service: string
  /** Where the objects are, for us; without a slash at its end. */
  readonly address: string
  /** Where they are for the public; null when they are private and callers get signed addresses. */
  readonly publicAddress: string | null
  /** Makes an object public, where the store lets objects have rules of their own. */
  readonly publicHeaders: Readonly<Record<string, string>>
  authorize(request: BucketRequest): Promise<Headers>
  /** An address of an object with which anybody can have it for a while. */
  signUrl(url: string): Promise<string>
}

/** An object's content never changes, and a browser must not show it in place. */
const HEADERS = {
  'cache-control': 'public, max-age=31557600, immutable',
  'content-disposition': 'attachment',
}

/** Newer buckets have one rule for all objects, and refuse rules of single ones in one of these ways. */
const RULES_REFUSED = [400, 403, 501]

const SHORT_LIMIT_MS = 15_000
/** A line to the store that is slower than this is broken. */
const SLOWEST_BYTES_PER_MS = 100

/** Stores answer 503 when they are busy, and ask for another try. */
const MAX_TRIES = 3
const PAUSE_MS = 300
const MAX_ANSWER_BYTES = 64 * 1024

/** Uploads in a bucket, under `uploads/`. Files go from disk to the store piece by piece. */
export async function bucketUploads(bucket: Bucket, world: ProviderWorld): Promise<Uploads> {
  const { service, address, publicAddress, publicHeaders } = bucket
  let ownRules = publicHeaders
  const shownAt = (key: string) => (publicAddress ?? '') + pathOf(key)

  function send(method: BucketRequest['method'], key: string, content?: Content): Promise<Answer> {
    return ask({ bucket, world, method, url: address + pathOf(key), content })
  }

  async function find(key: string): Promise<StoredFile | null> {
    const { status, size, code } = await send('HEAD', key)
    // Whoever may not list a bucket is told 403 of what is not there.
    if (status === 404 || status === 403) return null
    if (status !== 200) throw failureOf(service, 'HEAD', { status, code })
    return { url: shownAt(key), size }
  }

  function putWith(rules: Bucket['publicHeaders'], key: string, body: Buffer | StagedFile): Promise<Answer> {
    const type = key.startsWith('avatars/') ? 'image/webp' : 'application/octet-stream'
    return send('PUT', key, { body, headers: { ...HEADERS, ...rules, 'content-type': type } })
  }

  async function put(key: string, body: Buffer | StagedFile): Promise<void> {
    const answer = await putWith(ownRules, key, body)
    if (answer.status < 300) return
    if (Object.keys(ownRules).length > 0 && RULES_REFUSED.includes(answer.status)) {
      const { status } = await putWith({}, key, body)
      if (status < 300) {
        ownRules = {}
        world.log.warn({ provider: service }, 'objects have no rules of their own: the bucket must be public')
        return
      }
    }
    throw failureOf(service, 'PUT', answer)
  }

  return {
    stagingFolder: await openStagingFolder(join(world.dataDir, 'staging'), world.now()),
    servedFolder: null,
    signedUrl: publicAddress === null ? (key) => bucket.signUrl(address + pathOf(key)) : null,
    find,

    async store(key, content) {
      const present = await find(key)
      if (present) return present
      await put(key, content)
      return { url: shownAt(key), size: sizeOf(content) }
    },

    async remove(key) {
      const answer = await send('DELETE', key)
      if (answer.status >= 300 && answer.status !== 404) throw failureOf(service, 'DELETE', answer)
    },
  }
}

interface Content {
  readonly body: Buffer | StagedFile
  readonly headers: Readonly<Record<string, string>>
}

interface Question {
  readonly bucket: Bucket
  readonly world: ProviderWorld
  readonly method: BucketRequest['method']
  readonly url: string
  readonly content: Content | undefined
}

interface Answer {
  readonly status: number
  readonly size: number
  /** The store's word for what is wrong. */
  readonly code: string
}

/** Asks again when the store is busy or the line broke: all that is asked can be repeated. */
async function ask(question: Question): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await askOnce(question)
    if (answer !== null && answer.status < 500 && answer.status !== 429) return answer
    if (tries === MAX_TRIES) {
      if (answer) return answer
      throw new ProviderError(`${question.bucket.service}: ${question.method} was not answered`)
    }
    await delay(PAUSE_MS * tries)
  }
}

async function askOnce({ bucket, world, method, url, content }: Question): Promise<Answer | null> {
  const size = content ? sizeOf(content.body) : 0
  // Stores want to know the length before the content.
  const length: Record<string, string> = content ? { 'content-length': String(size) } : {}
  const headers = await bucket.authorize({ method, url, headers: { ...content?.headers, ...length } })
  const signal = AbortSignal.timeout(SHORT_LIMIT_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS))
  const sent = content ? { body: bodyOf(content.body), duplex: 'half' as const } : {}
  try {
    const response = await world.fetch(url, { method, headers, signal, redirect: 'manual', ...sent })
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

function failureOf(service: string, method: string, { status, code }: Pick<Answer, 'status' | 'code'>) {
  return new ProviderError(`${service}: ${method} was answered with ${[status, code].join(' ').trim()}`)
}

function pathOf(key: string): string {
  return `/uploads/${key.split('/').map(encodeSegment).join('/')}`
}

/** As signatures want it: everything that may be escaped is. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
