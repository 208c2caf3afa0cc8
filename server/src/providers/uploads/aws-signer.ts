import type { Bucket } from './bucket-client.ts'

export interface AwsKeys {
  readonly keyId: string
  readonly keySecret: string
  readonly region: string
}

/** Lifetime of a signed URL: enough to start a download over a slow connection. */
const SIGNED_FOR_S = 3600

/** Signs requests to S3-compatible services. The vendor's SDK would be a hundred times the code. */
export async function awsSigner(
  { keyId, keySecret, region }: AwsKeys,
  now: () => number,
): Promise<Pick<Bucket, 'authorize' | 'signUrl'>> {
  const { AwsV4Signer } = await import('aws4fetch')
  const common = () => ({
    accessKeyId: keyId,
    secretAccessKey: keySecret,
    service: 's3',
    region,
    datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  })
  return {
    async authorize({ method, url, headers }) {
      const signed = await new AwsV4Signer({ ...common(), method, url, headers }).sign()
      return signed.headers
    },
    async signUrl(address) {
      const url = new URL(address)
      url.searchParams.set('X-Amz-Expires', String(SIGNED_FOR_S))
      const signing = new AwsV4Signer({ ...common(), method: 'GET', url: url.href, signQuery: true })
      const signed = await signing.sign()
      return signed.url.href
    },
  }
}
