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
    awsKeyId: z.string().min(1).describe('Id of an access key that may get, put and delete objects.'),
    awsKeySecret: z.string().min(1).describe('Its secret.'),
    awsRegion: z
      .string()
      .regex(/^[a-z0-9-]+$/, { error: 'must be a region, such as eu-central-1' })
      .describe('Region of the bucket.'),
    endpoint: ServiceUrl.optional().describe(
      'Address of another store that speaks as S3 does. Default: the one of the region.',
    ),
    pathStyle: z
      .boolean()
      .optional()
      .describe('Whether the bucket stands in the path, not in the host. Default: yes with an endpoint.'),
    publicBaseUrl: ServiceUrl.optional().describe(
      'Address of the bucket for the public, such as that of a CDN before it. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  async start({ bucketName, awsKeyId, awsKeySecret, awsRegion, downloads, ...where }, world) {
    const address = addressOf(bucketName, awsRegion, where)
    const keys = { keyId: awsKeyId, keySecret: awsKeySecret, region: awsRegion }
    const isPublic = downloads === 'public'
    return bucketUploads(
      {
        service: 'uploads/s3',
        address,
        publicAddress: isPublic ? (where.publicBaseUrl ?? address) : null,
        publicHeaders: isPublic ? { 'x-amz-acl': 'public-read' } : {},
        ...(await awsSigner(keys, world.now)),
      },
      world,
    )
  },
})

function addressOf(
  bucket: string,
  region: string,
  options: { readonly endpoint?: string | undefined; readonly pathStyle?: boolean | undefined },
): string {
  const endpoint = options.endpoint ?? `https://s3.${region}.amazonaws.com`
  // The certificate of the public hosts does not cover names with dots.
  const isInPath = options.pathStyle ?? (options.endpoint !== undefined || bucket.includes('.'))
  return isInPath ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`)
}
