import { z } from 'zod'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
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

/** Google Cloud Storage through its XML API, which needs only the key of a service account. */
export const gcsUploads = provider<Uploads>()({
  name: 'uploads/gcs',
  options: z.strictObject({
    projectId: z.string().min(1).optional().describe('Project id; part of the credentials, too.'),
    bucketName: BucketName,
    credentials: Credentials.describe(
      'Key of a service account, as JSON. The account needs permission to get, create and delete objects.',
    ),
    endpoint: ServiceUrl.default('https://storage.googleapis.com').describe('URL of the store.'),
    publicBaseUrl: ServiceUrl.optional().describe(
      'Public URL of the bucket, such as that of a CDN. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  start({ bucketName, credentials, endpoint, publicBaseUrl, downloads }, context) {
    const address = `${endpoint}/${bucketName}`
    const isPublic = downloads === 'public'
    return bucketUploads(
      {
        service: 'uploads/gcs',
        address,
        publicAddress: isPublic ? (publicBaseUrl ?? address) : null,
        publicHeaders: isPublic ? { 'x-goog-acl': 'public-read' } : {},
        ...googleSigner(credentials, context),
      },
      context,
    )
  },
})
