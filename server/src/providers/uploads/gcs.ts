import { z } from 'zod'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
import { bucketUploads } from './bucket.ts'
import { googleSigner, ServiceAccount } from './google-signer.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

/** The key file as it was downloaded, or its text as it stands in an environment variable. */
const Credentials = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}, ServiceAccount)

/** Google's store by its XML interface, which takes the key of a service account and needs no other. */
export const gcsUploads = provider<Uploads>()({
  name: 'uploads/gcs',
  options: z.strictObject({
    projectId: z.string().min(1).optional().describe('Id of the project. The credentials name it, too.'),
    bucketName: BucketName,
    credentials: Credentials.describe(
      'Key of a service account, as JSON; it must get, create and delete objects.',
    ),
    endpoint: ServiceUrl.default('https://storage.googleapis.com').describe('Address of the store.'),
    publicBaseUrl: ServiceUrl.optional().describe(
      'Address of the bucket for the public, such as that of a CDN before it. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  start({ bucketName, credentials, endpoint, publicBaseUrl, downloads }, world) {
    const address = `${endpoint}/${bucketName}`
    const isPublic = downloads === 'public'
    return bucketUploads(
      {
        service: 'uploads/gcs',
        address,
        publicAddress: isPublic ? (publicBaseUrl ?? address) : null,
        publicHeaders: isPublic ? { 'x-goog-acl': 'public-read' } : {},
        ...googleSigner(credentials, world),
      },
      world,
    )
  },
})
