import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { bucketSecrets, startBucketStore } from '../../../test/bucket-stores.ts'
import { startHttpService } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { uploadProviders } from './all.ts'
import type { Uploads } from './uploads.ts'

// Tests of the object stores. A local server replaces them; it checks every signature.

const noon = Date.UTC(2030, 4, 2, 12)
const bytes = Buffer.from('content')
const digest = createHash('sha256').update(bytes).digest('hex')
const ends: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const names = ['s3', 'r2', 'gcs'] as const
type Name = (typeof names)[number]

function providerOf(name: Name) {
  return uploadProviders.find((listed) => listed.name === `uploads/${name}`)!
}

async function open(name: Name, options: object, fetcher = fetch) {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-buckets-'))
  ends.push(() => rm(dataDir, { recursive: true }))
  const { log, lines } = recordLog()
  const found = providerOf(name)
  const context = { fetch: fetcher, log, now: () => noon, dataDir }
  return { uploads: await found.start(found.options.parse(options), context), lines }
}

async function start(name: Name, options: object = {}) {
  const store = await startBucketStore(name)
  ends.push(() => store[Symbol.asyncDispose]())
  return { store, ...(await open(name, { ...store.options, ...options })) }
}

const methodsOf = ({ asked }: { readonly asked: readonly { readonly method: string }[] }) =>
  asked.map(({ method }) => method).filter((method) => method !== 'POST')

async function stage(uploads: Uploads, content: Buffer) {
  const path = join(uploads.stagingFolder, 'staged')
  await writeFile(path, content)
  return { path, size: content.length }
}

describe.each(names)('uploads/%s', (name) => {
  const base = (url: string) => (name === 'r2' ? 'https://files.example' : `${url}/files`)

  test('stores a file and finds it by its key, with its size and absolute URL', async () => {
    const { store, uploads } = await start(name)
    const key = `${digest}/a b%ü'(1)+.txt`
    expect(await uploads.find(key)).toBeNull()
    const stored = {
      url: `${base(store.url)}/uploads/${digest}/a%20b%25%C3%BC%27%281%29%2B.txt`,
      size: 7,
    }
    expect(await uploads.store(key, bytes)).toEqual(stored)
    expect(await uploads.find(key)).toEqual(stored)
    const [object] = store.objects.values()
    expect(object?.body).toEqual(bytes)
    expect(object?.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="a b__'(1)+.txt"; filename*=UTF-8''a%20b%25%C3%BC%27%281%29%2B.txt`,
      'cache-control': 'public, max-age=31557600, immutable',
    })
  })

  test('streams a large file with its length', async () => {
    const { store, uploads } = await start(name)
    const large = Buffer.alloc(24 * 1024 * 1024, 'abc')
    const stored = await uploads.store(`${digest}/large.bin`, await stage(uploads, large))
    expect(stored.size).toBe(large.length)
    const [object] = store.objects.values()
    expect(object?.body.equals(large)).toBe(true)
    expect(object?.headers['content-length']).toBe(String(large.length))
  })

  test('stores an empty file', async () => {
    const { store, uploads } = await start(name)
    await uploads.store(`${digest}/none`, await stage(uploads, Buffer.alloc(0)))
    expect([...store.objects.values()].map(({ body }) => body.length)).toEqual([0])
  })

  test('does not upload files that already exist', async () => {
    const { store, uploads } = await start(name)
    await uploads.store(`${digest}/a`, bytes)
    await uploads.store(`${digest}/a`, await stage(uploads, Buffer.from('other')))
    expect(methodsOf(store)).toEqual(['HEAD', 'PUT', 'HEAD'])
    expect([...store.objects.values()].map(({ body }) => String(body))).toEqual(['content'])
  })

  test('deletes an avatar, and deleting it again is harmless', async () => {
    const { store, uploads } = await start(name)
    const key = `avatars/t1/${digest}.webp`
    await uploads.store(key, bytes)
    expect([...store.objects.values()][0]?.headers['content-type']).toBe('image/webp')
    await uploads.remove(key)
    await uploads.remove(key)
    expect(store.objects.size).toBe(0)
  })

  test('lists and reads all files for backups, and nothing else in the bucket', async () => {
    const { store, uploads } = await start(name)
    const keys = [`${digest}/a & <b> "c" ü+ %20.txt`, `${digest}/b`, `avatars/t1/${digest}.webp`]
    for (const key of keys) await uploads.store(key, bytes)
    store.objects.set('/files/backups/pennant.tar', { body: bytes, headers: {} })
    const listed: { key: string; size: number }[] = []
    for await (const object of uploads.contents?.list() ?? []) listed.push(object)
    expect(listed).toEqual(keys.toSorted().map((key) => ({ key, size: 7 })))
    const content: Buffer[] = []
    for await (const chunk of (await uploads.contents?.open(keys[0] ?? '')) ?? []) content.push(chunk)
    expect(String(Buffer.concat(content))).toBe('content')
    expect(await uploads.contents?.open('missing')).toBeNull()
    store.fail(3, 503)
    const failing = uploads.contents?.list()[Symbol.asyncIterator]().next()
    await expect(failing).rejects.toThrow(`uploads/${name}: the response to the list was 503`)
  })

  test('makes files public individually, or leaves it to the bucket if it refuses', async () => {
    const { store, uploads } = await start(name)
    const isPublic = () => {
      const headers = [...store.objects.values()].at(-1)?.headers
      return (headers?.['x-amz-acl'] ?? headers?.['x-goog-acl']) === 'public-read'
    }
    await uploads.store(`${digest}/a`, bytes)
    expect(isPublic()).toBe(name !== 'r2')
    store.refuseRules()
    await uploads.store(`${digest}/b`, await stage(uploads, bytes))
    expect(isPublic()).toBe(false)
    await uploads.store(`${digest}/c`, bytes)
    expect(methodsOf(store).filter((method) => method === 'PUT')).toHaveLength(name === 'r2' ? 3 : 4)
  })

  test('retries while the store is busy and eventually gives up', async () => {
    const { store, uploads } = await start(name)
    store.fail(2, 503)
    await uploads.store(`${digest}/a`, bytes)
    expect(store.objects.size).toBe(1)
    store.fail(3, 503)
    await expect(uploads.find(`${digest}/a`)).rejects.toThrow(`uploads/${name}: the response to HEAD was 503`)
  })

  test('reports refusals without revealing a secret', async () => {
    const wrong = {
      s3: { awsKeySecret: 'wrong-secret' },
      r2: { cfKeySecret: 'wrong-secret' },
      gcs: { bucketName: 'other' },
    }[name]
    const { uploads, lines } = await start(name, wrong)
    const [settled] = await Promise.allSettled([uploads.store(`${digest}/a`, bytes)])
    if (settled.status !== 'rejected') throw new Error('it was stored')
    expect(settled.reason).toMatchObject({
      message: `uploads/${name}: the response to PUT was 403 SignatureDoesNotMatch`,
    })
    const text = inspect([settled.reason, lines, uploads], { depth: null })
    for (const secret of ['wrong-secret', ...bucketSecrets]) expect(text).not.toContain(secret)
  })

  test('fails when the store is unreachable', async () => {
    const { store, uploads } = await start(name)
    await uploads.find(`${digest}/a`)
    await store[Symbol.asyncDispose]()
    await expect(uploads.store(`${digest}/a`, bytes)).rejects.toThrow(`uploads/${name}: no response to HEAD`)
  })

  test('keeps a private store private and signs temporary URLs', async () => {
    const { store, uploads } = await start(name, { downloads: 'signed' })
    const key = `${digest}/a b.txt`
    expect(await uploads.store(key, bytes)).toEqual({ url: `/uploads/${digest}/a%20b.txt`, size: 7 })
    const headers = [...store.objects.values()][0]?.headers ?? {}
    expect(Object.keys(headers).filter((header) => header.endsWith('-acl'))).toEqual([])
    const url = (await uploads.signedUrl?.(key)) ?? ''
    expect(url).toMatch(/-Expires=3600&/)
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([200, 'content'])
    const forged = await fetch(url.replace('a%20b.txt', 'other'))
    expect(forged.status).toBe(403)
  })

  test('has a staging folder and serves no files itself', async () => {
    const { uploads } = await start(name)
    expect(await readdir(uploads.stagingFolder)).toEqual([])
    expect([uploads.servedFolder, uploads.signedUrl]).toEqual([null, null])
  })

  test('refuses missing or misspelt options', async () => {
    const { store } = await start(name)
    const { options } = providerOf(name)
    expect(options.safeParse(store.options).success).toBe(true)
    expect(options.safeParse({ ...store.options, bucketname: 'x' }).success).toBe(false)
    for (const key of Object.keys(store.options).filter(
      (left) => !['endpoint', 'projectId'].includes(left),
    )) {
      expect(options.safeParse({ ...store.options, [key]: undefined }).success, key).toBe(false)
    }
  })
})

/** Where a provider looks for a file, without a request. */
async function addressOf(name: Name, options: object): Promise<string[]> {
  const asked: string[] = []
  const fakeFetch: typeof fetch = async (url) => {
    asked.push(String(url))
    return new Response(null, { status: 200, headers: { 'content-length': '7' } })
  }
  const { uploads } = await open(name, options, fakeFetch)
  const found = await uploads.find('k/a')
  return [...asked, found?.url ?? '']
}

describe('without an endpoint', () => {
  const s3 = { bucketName: 'files', awsKeyId: 'k', awsKeySecret: 's', awsRegion: 'eu-west-1' }
  const r2 = {
    bucketName: 'files',
    cfAccountId: 'acc',
    cfKeyId: 'k',
    cfKeySecret: 's',
    publicBaseUrl: 'https://cdn.example/',
  }

  test('S3 requests go to the region, with the bucket in the host name unless it contains a dot', async () => {
    const host = 'https://files.s3.eu-west-1.amazonaws.com/uploads/k/a'
    expect(await addressOf('s3', s3)).toEqual([host, host])
    const path = 'https://s3.eu-west-1.amazonaws.com/my.files/uploads/k/a'
    expect(await addressOf('s3', { ...s3, bucketName: 'my.files' })).toEqual([path, path])
    expect(await addressOf('s3', { ...s3, publicBaseUrl: 'https://cdn.example' })).toEqual([
      host,
      'https://cdn.example/uploads/k/a',
    ])
  })

  test('R2 requests go to the account, in its jurisdiction', async () => {
    const shown = 'https://cdn.example/uploads/k/a'
    const path = 'r2.cloudflarestorage.com/files/uploads/k/a'
    expect(await addressOf('r2', r2)).toEqual([`https://acc.${path}`, shown])
    expect(await addressOf('r2', { ...r2, jurisdiction: 'eu' })).toEqual([`https://acc.eu.${path}`, shown])
  })

  test('R2 requires a public address unless its files are private', () => {
    const { options } = providerOf('r2')
    const nowhere = { ...r2, publicBaseUrl: undefined }
    expect(options.safeParse(nowhere).error?.issues[0]?.path).toEqual(['publicBaseUrl'])
    expect(options.safeParse({ ...nowhere, downloads: 'signed' }).success).toBe(true)
  })
})

test('S3 supports other endpoints with the bucket in the host name', async () => {
  const options = { bucketName: 'files', awsKeyId: 'k', awsKeySecret: 's', awsRegion: 'x' }
  const [asked] = await addressOf('s3', { ...options, endpoint: 'https://store.example/', pathStyle: false })
  expect(asked).toBe('https://files.store.example/uploads/k/a')
})

test('one Google token serves concurrent and later requests', async () => {
  const { store, uploads } = await start('gcs')
  await Promise.all(Array.from({ length: 8 }, (_, at) => uploads.find(`${digest}/${at}`)))
  await uploads.find(`${digest}/a`)
  expect(store.asked.filter(({ url }) => url === '/token')).toHaveLength(1)
})

test('fails if Google refuses the token request', async () => {
  const refused = await startHttpService((_, response) => void response.writeHead(401).end('{}'))
  ends.push(() => refused[Symbol.asyncDispose]())
  const store = await startBucketStore('gcs')
  ends.push(() => store[Symbol.asyncDispose]())
  const credentials = { ...JSON.parse(String(store.options['credentials'])), token_uri: refused.url }
  const { uploads } = await open('gcs', { ...store.options, credentials })
  await expect(uploads.find(`${digest}/a`)).rejects.toThrow('uploads/gcs: no token, the response was 401')
})
