import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startBucketStore, type BucketStore } from '../../../test/bucket-stores.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { recordLog } from '../../../test/log.ts'
import type { StagedFile } from '../uploads/uploads.ts'
import { backupStores } from './backups.ts'
import { PART_BYTES } from './upload-in-parts.ts'

// A local server replaces the stores; it checks every signature and the parts.

const SIZE = 2 * PART_BYTES + 1000
const NAME = 'pennant-2030-05-02T12-00-00Z.tar'
const noon = Date.UTC(2030, 4, 2, 12)

const stores = ['s3', 'r2', 'gcs'] as const

async function storeOf(name: (typeof stores)[number], { options }: BucketStore, dataDir: string) {
  const { publicBaseUrl: _, ...rest } = { publicBaseUrl: undefined, ...options }
  const found = backupStores.find((each) => each.name === `backups/${name}`)!
  const context = { fetch, log: recordLog().log, now: () => noon, dataDir }
  return await found.start(found.options.parse(rest), context)
}

/** Mostly a hole, so that it takes no time; with a mark in each part. */
async function largeFile(folder: string): Promise<StagedFile> {
  const path = join(folder, NAME)
  await using file = await open(path, 'wx')
  await file.truncate(SIZE)
  for (const [at, mark] of ['one', 'two', 'three'].entries()) await file.write(mark, at * PART_BYTES + 7)
  return { path, size: SIZE }
}

async function digestOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

const lengthsOf = ({ asked }: BucketStore) =>
  asked.filter(({ method }) => method === 'PUT').map(({ headers }) => Number(headers['content-length']))

describe.each(stores)('an archive larger than a part, in a bucket of %s', (name) => {
  test('is sent in parts and is then one object', async () => {
    await using bucket = await startBucketStore(name)
    await using place = await temporaryFolder()
    const store = await storeOf(name, bucket, place.path)
    const file = await largeFile(place.path)
    await store.store(NAME, file)
    expect(lengthsOf(bucket)).toEqual([PART_BYTES, PART_BYTES, 1000])
    await using handle = await open(file.path)
    const expected = await digestOf(handle.createReadStream({ autoClose: false }))
    expect(await digestOf((await store.open(NAME)) ?? [])).toBe(expected)
    expect(await store.names()).toEqual([NAME])
    expect(bucket.unfinished.size).toBe(0)
  })

  test('survives a busy store and a lost response to the last request', async () => {
    await using bucket = await startBucketStore(name)
    await using place = await temporaryFolder()
    const store = await storeOf(name, bucket, place.path)
    const file = await largeFile(place.path)
    bucket.fail(1, 503)
    bucket.loseCompletion()
    await store.store(NAME, file)
    expect(await store.names()).toEqual([NAME])
  })

  test('leaves nothing behind when a part is refused', async () => {
    await using bucket = await startBucketStore(name)
    await using place = await temporaryFolder()
    const store = await storeOf(name, bucket, place.path)
    const file = await largeFile(place.path)
    bucket.refusePart(2)
    await expect(store.store(NAME, file)).rejects.toThrow(`backups/${name}: the response to part 2 was 400`)
    bucket.refusePart(0)
    expect(bucket.unfinished.size).toBe(0)
    expect(await store.names()).toEqual([])
    await store.store(NAME, file)
    expect(await store.names()).toEqual([NAME])
  })

  test('is not an object if its parts do not fit together', async () => {
    await using bucket = await startBucketStore(name)
    await using place = await temporaryFolder()
    const store = await storeOf(name, bucket, place.path)
    bucket.forgetPart(2)
    await expect(store.store(NAME, await largeFile(place.path))).rejects.toThrow('InvalidPart')
    expect(bucket.unfinished.size).toBe(0)
    expect(await store.names()).toEqual([])
  })
})
