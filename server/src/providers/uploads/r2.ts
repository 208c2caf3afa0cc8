import { z } from 'zod'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
import { awsSigner } from './aws-signer.ts'
import { bucketUploads } from './bucket.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

const ZONES = { default: '', eu: '.eu', fedramp: '.fedramp' } as const

export const r2Uploads = provider<Uploads>()({
  name: 'uploads/r2',
  options: z
    .strictObject({
      bucketName: BucketName,
      cfAccountId: z
        .string()
        .regex(/^\w+$/, { error: 'must be the id of an account' })
        .describe('Account id.'),
      cfKeyId: z.string().min(1).describe('Id of an API token with permission to read and write objects.'),
      cfKeySecret: z.string().min(1).describe('Its secret.'),
      publicBaseUrl: ServiceUrl.optional().describe(
        'Public URL of the bucket. R2 has none until you enable one.',
      ),
      jurisdiction: z
        .enum(['default', 'eu', 'fedramp'])
        .default('default')
        .describe('Jurisdiction of the bucket.'),
      endpoint: ServiceUrl.optional().describe('URL of the store. Default: that of the account.'),
      downloads: Downloads,
    })
    .refine(({ publicBaseUrl, downloads }) => publicBaseUrl !== undefined || downloads === 'signed', {
      path: ['publicBaseUrl'],
      error: 'is missing; it is required unless downloads are signed',
    }),

  async start({ bucketName, cfAccountId, cfKeyId, cfKeySecret, jurisdiction, ...options }, context) {
    const host = `https://${cfAccountId}${ZONES[jurisdiction]}.r2.cloudflarestorage.com`
    const keys = { keyId: cfKeyId, keySecret: cfKeySecret, region: 'auto' }
    return bucketUploads(
      {
        service: 'uploads/r2',
        address: `${options.endpoint ?? host}/${bucketName}`,
        publicAddress: options.downloads === 'signed' ? null : (options.publicBaseUrl ?? null),
        // R2 has no per-object ACLs.
        publicHeaders: {},
        ...(await awsSigner(keys, context.now)),
      },
      context,
    )
  },
})
