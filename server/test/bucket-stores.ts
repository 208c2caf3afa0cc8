import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { decodeXML, encodeXML } from 'entities'
import { startHttpService, type ReceivedRequest, type HttpService } from './http-service.ts'
import { isSignedByAws } from './signed-by-aws.ts'

export interface StoredObject {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** An object store that checks credentials the way the public services do. */
export interface BucketStore extends HttpService {
  /** Keyed by the request path, not decoded. */
  readonly objects: Map<string, StoredObject>
  /** Provider options that point at this store. */
  readonly options: Readonly<Record<string, unknown>>
  /** Multipart uploads that were begun and neither completed nor removed. */
  readonly unfinished: ReadonlyMap<string, ReadonlyMap<number, Buffer>>
  /** Responds to the next `times` requests with this status. */
  fail(times: number, status: number): void
  /** Completes the next multipart upload and closes the connection instead of responding. */
  loseCompletion(): void
  /** Refuses the part with this number. */
  refusePart(number: number): void
  /** Accepts the part with this number and does not keep it. */
  forgetPart(number: number): void
  /** From now on the bucket rejects requests with an object ACL, as new buckets do by default. */
  refuseRules(): void
}

interface PartRequest {
  readonly path: string
  readonly uploadId: string
  readonly asked: ReceivedRequest
  readonly parameters: URLSearchParams
}

/** Bytes that every part but the last must have. */
const MIN_PART = 5 * 1024 ** 2

type Name = 's3' | 'r2' | 'gcs'
type Check = (asked: ReceivedRequest, store: { readonly url: string }) => boolean

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const googleToken = 'token-of-google'
export const bucketSecrets = [
  'right-secret',
  googleToken,
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().slice(30, 90),
]

const byAws = (region: string) => (asked: ReceivedRequest) =>
  isSignedByAws(asked, { keyId: 'AKID', keySecret: 'right-secret', region, service: 's3' })

const checks: Readonly<Record<Name, Check>> = {
  s3: byAws('eu-central-1'),
  r2: byAws('auto'),
  gcs: (asked, { url }) =>
    asked.headers.authorization === `Bearer ${googleToken}` || isSignedByGoogle(asked, new URL(url).host),
}

function isSignedByGoogle({ method, url }: ReceivedRequest, host: string): boolean {
  const [path = '', queryText = ''] = url.split('?')
  const [query = '', signature] = queryText.split('&X-Goog-Signature=')
  const scope = '20300502/auto/storage/goog4_request'
  const { 'X-Goog-Credential': credential, 'X-Goog-Date': date } = Object.fromEntries(
    new URLSearchParams(query),
  )
  if (!signature || credential !== `robot@example.org/${scope}` || !date) return false
  const canonical = [method, path, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['GOOG4-RSA-SHA256', date, scope, digest].join('\n')
  return createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'hex')
}

/** Issues an access token for a JWT assertion signed with the service account's key. */
function sellToken({ body }: ReceivedRequest, url: string, response: ServerResponse): void {
  const form = new URLSearchParams(String(body))
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(publicKey, signature, 'base64url')
  const { iss, aud, iat, exp, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const isSound = iss === 'robot@example.org' && aud === `${url}/token` && exp - iat === 3600
  const isKnown = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  if (!isSigned || !isSound || !isKnown || !String(scope).includes('devstorage'))
    return void response.writeHead(400).end('{"error":"invalid_grant"}')
  response.end(JSON.stringify({ access_token: googleToken, expires_in: 3599, token_type: 'Bearer' }))
}

export async function startBucketStore(name: Name): Promise<BucketStore> {
  const objects = new Map<string, StoredObject>()
  const unfinished = new Map<string, Map<number, Buffer>>()
  let losesCompletion = false
  let refusedPart = 0
  let forgottenPart = 0
  let failures: number[] = []
  let takesRules = name !== 'r2'
  const service = await startHttpService((asked, response) => {
    if (asked.url === '/token') return sellToken(asked, service.url, response)
    const failure = failures.shift()
    if (failure !== undefined) return refuse(response, failure, 'SlowDown')
    const [path = '', query] = asked.url.split('?')
    if (!/^\/files\/(?:$|uploads\/|backups\/)/.test(path) || !checks[name](asked, service))
      return refuse(response, 403, 'SignatureDoesNotMatch')
    const parameters = new URLSearchParams(query)
    if (asked.method === 'POST' && parameters.has('uploads')) {
      const id = `${unfinished.size + 1}+/&`
      unfinished.set(id, new Map())
      return void response.end(xml(`<UploadId>${encodeXML(id)}</UploadId>`))
    }
    const uploadId = parameters.get('uploadId')
    if (uploadId !== null) return changeUpload({ path, uploadId, asked, parameters }, response)
    if (asked.method === 'PUT') return put(path, asked, response)
    if (path === '/files/') return list(parameters, response)
    const object = objects.get(path)
    if (asked.method === 'DELETE') {
      objects.delete(path)
      // Google returns an error for a missing object, AWS does not.
      return name === 'gcs' && !object
        ? refuse(response, 404, 'NoSuchKey')
        : void response.writeHead(204).end()
    }
    if (!object) return refuse(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-length': object.body.length })
    return void response.end(asked.method === 'GET' ? object.body : undefined)
  })

  function put(path: string, { headers, body }: ReceivedRequest, response: ServerResponse): void {
    if (headers['transfer-encoding'] !== undefined) return refuse(response, 411, 'MissingContentLength')
    const hasRules = headers['x-amz-acl'] !== undefined || headers['x-goog-acl'] !== undefined
    if (hasRules && !takesRules) return refuse(response, 400, 'AccessControlListNotSupported')
    objects.set(path, { body, headers })
    response.end()
  }

  function changeUpload({ path, uploadId, asked, parameters }: PartRequest, response: ServerResponse): void {
    const { method, headers, body } = asked
    const parts = unfinished.get(uploadId)
    if (!parts) return refuse(response, 404, 'NoSuchUpload')
    if (method === 'DELETE') {
      unfinished.delete(uploadId)
      return void response.writeHead(204).end()
    }
    if (method === 'PUT') {
      const number = Number(parameters.get('partNumber'))
      if (number === refusedPart) return refuse(response, 400, 'BadDigest')
      if (number !== forgottenPart) parts.set(number, body)
      return void response.writeHead(200, { etag: etagOf(body) }).end()
    }
    const named = Array.from(String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g))
    const found = named.map(([, number, etag = '']) => {
      const part = parts.get(Number(number))
      return part && etagOf(part) === decodeXML(etag) ? part : null
    })
    // Only the last part may be smaller.
    const isWhole = found.every((part, at) => part && (at === found.length - 1 || part.length >= MIN_PART))
    // As the public services do after they have begun to respond.
    if (!isWhole || found.length === 0) return void response.end(xml('<Code>InvalidPart</Code>', 'Error'))
    objects.set(path, { body: Buffer.concat(found.filter((part) => part !== null)), headers })
    unfinished.delete(uploadId)
    if (losesCompletion) {
      losesCompletion = false
      return void response.destroy()
    }
    response.end(xml('<ETag>"whole"</ETag>'))
  }

  /** In pages of two, so that tests need more than one. */
  function list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? ''
    const from = Number(query.get('continuation-token') ?? 0)
    const found = [...objects]
      .map(([path, { body }]) => ({
        key: decodeURIComponent(path.slice('/files/'.length)),
        size: body.length,
      }))
      .filter(({ key }) => key.startsWith(prefix))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const page = found.slice(from, from + 2)
    const next = from + 2 < found.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    const contents = page.map(
      ({ key, size }) => `<Contents><Key>${encodeXML(key)}</Key><Size>${size}</Size></Contents>`,
    )
    response.end(xml(next + contents.join('')))
  }

  const options = {
    s3: {
      bucketName: 'files',
      awsKeyId: 'AKID',
      awsKeySecret: 'right-secret',
      awsRegion: 'eu-central-1',
      endpoint: service.url,
    },
    r2: {
      bucketName: 'files',
      cfAccountId: 'account',
      cfKeyId: 'AKID',
      cfKeySecret: 'right-secret',
      publicBaseUrl: 'https://files.example',
      endpoint: service.url,
    },
    gcs: {
      bucketName: 'files',
      projectId: 'project',
      credentials: JSON.stringify({
        type: 'service_account',
        client_email: 'robot@example.org',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `${service.url}/token`,
      }),
      endpoint: service.url,
    },
  }[name]
  return Object.assign(service, {
    objects,
    unfinished,
    options,
    loseCompletion: () => {
      losesCompletion = true
    },
    refusePart: (number: number) => {
      refusedPart = number
    },
    forgetPart: (number: number) => {
      forgottenPart = number
    },
    fail: (times: number, status: number) => {
      failures = Array.from({ length: times }, () => status)
    },
    refuseRules: () => {
      takesRules = false
    },
  })
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(xml(`<Code>${code}</Code><Message>right-secret</Message>`, 'Error'))
}

function etagOf(part: Buffer): string {
  return `"${createHash('md5').update(part).digest('hex')}"`
}

function xml(content: string, name = 'Result'): string {
  return `<?xml version="1.0"?><${name}>${content}</${name}>`
}
