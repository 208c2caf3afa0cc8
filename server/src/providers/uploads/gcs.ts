import { z } from 'zod'
import { provider, type ProviderContext } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import type { Bucket } from './bucket-client.ts'
import { bucketUploads } from './bucket.ts'
import { googleSigner, ServiceAccount } from './google-signer.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

/** The key file as downloaded, or its text from an environment variable. */
const Credentials = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}, ServiceAccount)

/** Where a bucket is, and the key to it. */
export const GcsOptions = {
  projectId: z.string().min(1).optional().describe('Project id; part of the credentials, too.'),
  bucketName: BucketName,
  credentials: Credentials.describe(
    'Key of a service account, as JSON. The account needs permission to list, get, create and delete objects.',
  ),
  endpoint: ServiceUrl.default('https://storage.googleapis.com').describe('URL of the store.'),
}

type GcsLocation = z.output<z.ZodObject<typeof GcsOptions>>

/** Google Cloud Storage through its XML API, which needs only the key of a service account. */
export function openGcs(
  service: string,
  { bucketName, credentials, endpoint }: GcsLocation,
  context: ProviderContext,
): Bucket {
  return { service, address: `${endpoint}/${bucketName}`, ...googleSigner(credentials, context) }
}

export const gcsUploads = provider<Uploads>()({
  name: 'uploads/gcs',
  options: z.strictObject({
    ...GcsOptions,
    publicBaseUrl: ServiceUrl.optional().describe(
      'Public URL of the bucket, such as that of a CDN. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  start({ publicBaseUrl, downloads, ...location }, context) {
    const bucket = openGcs('uploads/gcs', location, context)
    return bucketUploads(
      bucket,
      { publicBaseUrl, downloads, publicHeaders: { 'x-goog-acl': 'public-read' } },
      context,
    )
  },
})
