import { createHash, createHmac } from 'node:crypto'
import type { ReceivedRequest } from './http-service.ts'

export interface AwsAccount {
  readonly keyId: string
  readonly keySecret: string
  readonly region: string
  readonly service: string
}

const HEADER = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

interface Claim {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly date: string
  readonly payloadHash: string
  /** The query without the signature. */
  readonly query: URLSearchParams
}

/** Checks the AWS Signature Version 4 of a request, in its header or its query. */
export function isSignedByAws(asked: ReceivedRequest, account: AwsAccount): boolean {
  const [path = '', queryText = ''] = asked.url.split('?')
  const claim = claimOf(asked, new URLSearchParams(queryText))
  if (!claim) return false
  const { credential, signedHeaders, signature, date, payloadHash, query } = claim
  const { keyId, keySecret, region, service } = account
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  if (credential !== `${keyId}/${scope}` || !signedHeaders.split(';').includes('host')) return false
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(asked.headers[name]).trim()}\n`)
  const canonical = [
    asked.method,
    path,
    [...query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    headers.join(''),
    signedHeaders,
    payloadHash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${keySecret}`)
  return hmac(key, text).toString('hex') === signature
}

function claimOf({ headers, body }: ReceivedRequest, query: URLSearchParams): Claim | null {
  const [, credential, signedHeaders, signature] = HEADER.exec(headers.authorization ?? '') ?? []
  if (credential !== undefined && signedHeaders !== undefined && signature !== undefined) {
    const named = headers['x-amz-content-sha256']
    const payloadHash = named === 'UNSIGNED-PAYLOAD' ? named : sha256(body)
    if (named !== undefined && named !== payloadHash) return null
    return { credential, signedHeaders, signature, date: String(headers['x-amz-date']), payloadHash, query }
  }
  const signed = query.get('X-Amz-Signature')
  if (signed === null) return null
  query.delete('X-Amz-Signature')
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: signed,
    date: query.get('X-Amz-Date') ?? '',
    payloadHash: 'UNSIGNED-PAYLOAD',
    query,
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
