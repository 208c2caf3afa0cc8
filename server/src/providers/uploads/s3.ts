import { z } from 'zod'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
import { awsSigner } from './aws-signer.ts'
import { bucketUploads } from './bucket.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

export const s3Uploads = provider<Uploads>()({
  name: 'uploads/s3',
  options: z.strictObject({
    bucketName: BucketName,
    awsKeyId: z
      .string()
      .min(1)
      .describe('Id of an access key with permission to get, put and delete objects.'),
    awsKeySecret: z.string().min(1).describe('Its secret.'),
    awsRegion: z
      .string()
      .regex(/^[a-z0-9-]+$/, { error: 'must be a region, such as eu-central-1' })
      .describe('Region of the bucket.'),
    endpoint: ServiceUrl.optional().describe(
      'URL of another S3-compatible store. Default: that of the region.',
    ),
    pathStyle: z
      .boolean()
      .optional()
      .describe(
        'Whether the bucket name is in the path instead of the host name. Default: yes with an endpoint.',
      ),
    publicBaseUrl: ServiceUrl.optional().describe(
      'Public URL of the bucket, such as that of a CDN. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  async start({ bucketName, awsKeyId, awsKeySecret, awsRegion, downloads, ...where }, context) {
    const address = addressOf(bucketName, awsRegion, where)
    const keys = { keyId: awsKeyId, keySecret: awsKeySecret, region: awsRegion }
    const isPublic = downloads === 'public'
    return bucketUploads(
      {
        service: 'uploads/s3',
        address,
        publicAddress: isPublic ? (where.publicBaseUrl ?? address) : null,
        publicHeaders: isPublic ? { 'x-amz-acl': 'public-read' } : {},
        ...(await awsSigner(keys, context.now)),
      },
      context,
    )
  },
})

function addressOf(
  bucket: string,
  region: string,
  options: { readonly endpoint?: string | undefined; readonly pathStyle?: boolean | undefined },
): string {
  const endpoint = options.endpoint ?? `https://s3.${region}.amazonaws.com`
  // The wildcard certificate of the public hosts does not cover bucket names with dots.
  const isInPath = options.pathStyle ?? (options.endpoint !== undefined || bucket.includes('.'))
  return isInPath ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`)
}
