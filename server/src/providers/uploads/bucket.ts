import { basename, join } from 'node:path'
import { attachment } from '../../lib/attachment.ts'
import type { ProviderContext } from '../provider.ts'
import { bucketClient, failureOf, pathOf, sizeOf, type Bucket, type BucketResponse } from './bucket-client.ts'
import { openStagingFolder } from './staging-folder.ts'
import type { StagedFile, StoredFile, Uploads } from './uploads.ts'

/** How the files of a bucket reach players. */
export interface Publication {
  /** `signed`: they are private, and callers get signed URLs. */
  readonly downloads: 'public' | 'signed'
  /** Default: the address of the bucket. */
  readonly publicBaseUrl?: string | undefined
  /** Headers that make an object public, if the store supports per-object ACLs. */
  readonly publicHeaders: Readonly<Record<string, string>>
}

/** An object's content never changes. */
const CACHE = 'public, max-age=31557600, immutable'

/** Newer buckets disable per-object ACLs and refuse them with one of these status codes. */
const RULES_REFUSED = [400, 403, 501]

const FOLDER = 'uploads/'

/** Uploads in a bucket, under `uploads/`. Files are streamed from disk to the store. */
export async function bucketUploads(
  bucket: Bucket,
  { downloads, publicBaseUrl, publicHeaders }: Publication,
  context: ProviderContext,
): Promise<Uploads> {
  const { service, address } = bucket
  const client = bucketClient(bucket, context)
  const publicAddress = downloads === 'public' ? (publicBaseUrl ?? address) : null
  let ownRules = publicAddress === null ? {} : publicHeaders
  const shownAt = (key: string) => (publicAddress ?? '') + pathOf(FOLDER + key)

  async function find(key: string): Promise<StoredFile | null> {
    const { status, size, code } = await client.send('HEAD', FOLDER + key)
    // Without permission to list the bucket, stores respond with 403 for a missing object.
    if (status === 404 || status === 403) return null
    if (status !== 200) throw failureOf(service, 'HEAD', { status, code })
    return { url: shownAt(key), size }
  }

  function putWith(
    rules: Publication['publicHeaders'],
    key: string,
    body: Buffer | StagedFile,
  ): Promise<BucketResponse> {
    const type = key.startsWith('avatars/') ? 'image/webp' : 'application/octet-stream'
    const own = {
      'cache-control': CACHE,
      // A browser must not display it inline.
      'content-disposition': attachment(basename(key)),
      'content-type': type,
    }
    return client.send('PUT', FOLDER + key, { body, headers: { ...own, ...rules } })
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
    origin: new URL(publicAddress ?? address).origin,
    signedUrl: publicAddress === null ? (key) => bucket.signUrl(address + pathOf(FOLDER + key)) : null,
    find,
    contents: {
      async *list() {
        for await (const { key, size } of client.list(FOLDER)) yield { key: key.slice(FOLDER.length), size }
      },
      open: (key) => client.open(FOLDER + key),
    },

    async store(key, content) {
      const present = await find(key)
      if (present) return present
      await put(key, content)
      return { url: shownAt(key), size: sizeOf(content) }
    },

    async remove(key) {
      const result = await client.send('DELETE', FOLDER + key)
      if (result.status >= 300 && result.status !== 404) throw failureOf(service, 'DELETE', result)
    },
  }
}
