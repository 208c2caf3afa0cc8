import { z } from 'zod'
import { provider, type ProviderContext } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import { awsSigner } from './aws-signer.ts'
import type { Bucket } from './bucket-client.ts'
import { bucketUploads } from './bucket.ts'
import { BucketName, Downloads } from './options.ts'
import type { Uploads } from './uploads.ts'

/** Where a bucket is, and the key to it. */
export const S3Options = {
  bucketName: BucketName,
  awsKeyId: z
    .string()
    .min(1)
    .describe('Id of an access key with permission to list, get, put and delete objects.'),
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
}

type S3Location = z.output<z.ZodObject<typeof S3Options>>

export async function openS3(
  service: string,
  location: S3Location,
  { now }: ProviderContext,
): Promise<Bucket> {
  const { awsKeyId: keyId, awsKeySecret: keySecret, awsRegion: region } = location
  return { service, address: addressOf(location), ...(await awsSigner({ keyId, keySecret, region }, now)) }
}

export const s3Uploads = provider<Uploads>()({
  name: 'uploads/s3',
  options: z.strictObject({
    ...S3Options,
    publicBaseUrl: ServiceUrl.optional().describe(
      'Public URL of the bucket, such as that of a CDN. Default: the bucket itself.',
    ),
    downloads: Downloads,
  }),

  async start({ publicBaseUrl, downloads, ...location }, context) {
    const bucket = await openS3('uploads/s3', location, context)
    return bucketUploads(
      bucket,
      { publicBaseUrl, downloads, publicHeaders: { 'x-amz-acl': 'public-read' } },
      context,
    )
  },
})

function addressOf({ bucketName: bucket, awsRegion, ...options }: S3Location): string {
  const endpoint = options.endpoint ?? `https://s3.${awsRegion}.amazonaws.com`
  // The wildcard certificate of the public hosts does not cover bucket names with dots.
  const isInPath = options.pathStyle ?? (options.endpoint !== undefined || bucket.includes('.'))
  return isInPath ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`)
}
