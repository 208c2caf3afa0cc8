import type { Provider } from '../provider.ts'
import { gcsUploads } from './gcs.ts'
import { localUploads } from './local.ts'
import { r2Uploads } from './r2.ts'
import { s3Uploads } from './s3.ts'
import type { Uploads } from './uploads.ts'

export const uploadProviders: readonly Provider<Uploads>[] = [localUploads, s3Uploads, r2Uploads, gcsUploads]
