import { z } from 'zod'
import { provider, type Provider, type ProviderContext } from '../provider.ts'
import { bucketClient, failureOf, type Bucket } from '../uploads/bucket-client.ts'
import { GcsOptions, openGcs } from '../uploads/gcs.ts'
import { openR2, R2Options } from '../uploads/r2.ts'
import { openS3, S3Options } from '../uploads/s3.ts'
import { PART_BYTES, uploadInParts } from './upload-in-parts.ts'

/** Keeps copies of backup archives away from this machine. All functions throw `ProviderError`. */
export interface BackupStore {
  /** Stores an archive under its name, replacing none: names contain the time. */
  store(name: string, file: { readonly path: string; readonly size: number }): Promise<void>
  /** Names of all objects, archives and others. */
  names(): Promise<string[]>
  /** The bytes of an archive; null if there is none with this name. */
  open(name: string): Promise<AsyncIterable<Buffer> | null>
  remove(name: string): Promise<void>
}

const FOLDER = 'backups/'
/** Archives that `retention` keeps, and others that someone has put there. */
const MAX_NAMES = 100_000

export const backupStores: readonly Provider<BackupStore>[] = [
  provider<BackupStore>()({
    name: 'backups/s3',
    options: z.strictObject(S3Options),
    start: async (options, context) => bucketBackups(await openS3('backups/s3', options, context), context),
  }),
  provider<BackupStore>()({
    name: 'backups/r2',
    options: z.strictObject(R2Options),
    start: async (options, context) => bucketBackups(await openR2('backups/r2', options, context), context),
  }),
  provider<BackupStore>()({
    name: 'backups/gcs',
    options: z.strictObject(GcsOptions),
    start: (options, context) => bucketBackups(openGcs('backups/gcs', options, context), context),
  }),
]

/** Archives in a bucket, under `backups/`. No header makes them public: they contain the key of all tokens. */
function bucketBackups(bucket: Bucket, context: ProviderContext): BackupStore {
  const { service } = bucket
  const client = bucketClient(bucket, context)
  return {
    async store(name, file) {
      const headers = { 'content-type': 'application/octet-stream' }
      if (file.size > PART_BYTES)
        return await uploadInParts(file, { service, client, key: FOLDER + name, headers })
      const result = await client.send('PUT', FOLDER + name, { body: file, headers })
      if (result.status >= 300) throw failureOf(service, 'PUT', result)
    },

    async names() {
      const names: string[] = []
      for await (const { key } of client.list(FOLDER)) {
        if (names.push(key.slice(FOLDER.length)) === MAX_NAMES) break
      }
      return names
    },

    open: (name) => client.open(FOLDER + name),

    async remove(name) {
      const result = await client.send('DELETE', FOLDER + name)
      if (result.status >= 300 && result.status !== 404) throw failureOf(service, 'DELETE', result)
    },
  }
}
