import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { encodeXML } from 'entities'
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
  /** Responds to the next `times` requests with this status. */
  fail(times: number, status: number): void
  /** From now on the bucket rejects requests with an object ACL, as new buckets do by default. */
  refuseRules(): void
}

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
  let failures: number[] = []
  let takesRules = name !== 'r2'
  const service = await startHttpService((asked, response) => {
    if (asked.url === '/token') return sellToken(asked, service.url, response)
    const failure = failures.shift()
    if (failure !== undefined) return refuse(response, failure, 'SlowDown')
    const [path = '', query] = asked.url.split('?')
    if (!/^\/files\/(?:$|uploads\/|backups\/)/.test(path) || !checks[name](asked, service))
      return refuse(response, 403, 'SignatureDoesNotMatch')
    if (asked.method === 'PUT') return put(path, asked, response)
    if (path === '/files/') return list(new URLSearchParams(query), response)
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
    response.end(`<?xml version="1.0"?><ListBucketResult>${next}${contents.join('')}</ListBucketResult>`)
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
    options,
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
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>right-secret</Message></Error>`)
}
