import { z } from 'zod'
import { provider, type ProviderContext } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import { awsSigner } from './aws-signer.ts'
import type { Bucket } from './bucket-client.ts'
import { bucketUploads } from './bucket.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

const ZONES = { default: '', eu: '.eu', fedramp: '.fedramp' } as const

/** Where a bucket is, and the key to it. */
export const R2Options = {
  bucketName: BucketName,
  cfAccountId: z.string().regex(/^\w+$/, { error: 'must be the id of an account' }).describe('Account id.'),
  cfKeyId: z.string().min(1).describe('Id of an API token with permission to read and write objects.'),
  cfKeySecret: z.string().min(1).describe('Its secret.'),
  jurisdiction: z
    .enum(['default', 'eu', 'fedramp'])
    .default('default')
    .describe('Jurisdiction of the bucket.'),
  endpoint: ServiceUrl.optional().describe('URL of the store. Default: that of the account.'),
}

type R2Location = z.output<z.ZodObject<typeof R2Options>>

export async function openR2(
  service: string,
  location: R2Location,
  { now }: ProviderContext,
): Promise<Bucket> {
  const { bucketName, cfAccountId, cfKeyId: keyId, cfKeySecret: keySecret, jurisdiction, endpoint } = location
  const host = `https://${cfAccountId}${ZONES[jurisdiction]}.r2.cloudflarestorage.com`
  const signer = await awsSigner({ keyId, keySecret, region: 'auto' }, now)
  return { service, address: `${endpoint ?? host}/${bucketName}`, ...signer }
}

export const r2Uploads = provider<Uploads>()({
  name: 'uploads/r2',
  options: z
    .strictObject({
      ...R2Options,
      publicBaseUrl: ServiceUrl.optional().describe(
        'Public URL of the bucket. R2 has none until you enable one.',
      ),
      downloads: Downloads,
    })
    .refine(({ publicBaseUrl, downloads }) => publicBaseUrl !== undefined || downloads === 'signed', {
      path: ['publicBaseUrl'],
      error: 'is missing; it is required unless downloads are signed',
    }),

  async start({ publicBaseUrl, downloads, ...location }, context) {
    const bucket = await openR2('uploads/r2', location, context)
    // R2 has no per-object ACLs.
    return bucketUploads(bucket, { publicBaseUrl, downloads, publicHeaders: {} }, context)
  },
})
