import { createHash, createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { ProviderError, type ProviderContext } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'
import { HttpUrl } from '../../lib/service-url.ts'
import type { Bucket } from './bucket-client.ts'

/** The required fields of a service account's key file. */
export const ServiceAccount = z.object({
  client_email: z.string().min(1).describe('Email address of the service account.'),
  private_key: z
    .string()
    .refine(isPrivateKey, { error: 'must be a private key in PEM form' })
    .describe('Its private key.'),
  token_uri: HttpUrl.default('https://oauth2.googleapis.com/token').describe(
    'URL that issues access tokens.',
  ),
})

type ServiceAccount = z.output<typeof ServiceAccount>

/** The account's own roles limit what this scope allows. */
const SCOPE = 'https://www.googleapis.com/auth/devstorage.full_control'
const TOKEN_LIMIT_MS = 15_000
const TOKEN_LIFE_S = 3600
/** A token that expires soon might expire in transit. */
const SPARE_MS = 300_000
const SIGNED_FOR_S = 3600

const Token = z.object({ access_token: z.string(), expires_in: z.number() })

/** Requests carry an access token obtained with the account's key; URLs are signed with the key itself. */
export function googleSigner(
  account: ServiceAccount,
  context: ProviderContext,
): Pick<Bucket, 'authorize' | 'signUrl'> {
  const key = createPrivateKey(account.private_key)
  let token: { readonly text: string; readonly until: number } | null = null
  let asking: Promise<string> | null = null

  async function renew(): Promise<string> {
    try {
      const { access_token: text, expires_in: lifeS } = await requestToken(
        assertion(account, key, context.now()),
        {
          url: account.token_uri,
          context,
        },
      )
      token = { text, until: context.now() + lifeS * 1000 - SPARE_MS }
      return text
    } finally {
      asking = null
    }
  }

  return {
    async authorize({ headers }) {
      const text = token && context.now() < token.until ? token.text : await (asking ??= renew())
      return new Headers({ ...headers, authorization: `Bearer ${text}` })
    },
    signUrl: async (url) => signedUrl(url, { account, key, now: context.now() }),
  }
}

async function requestToken(
  jwt: string,
  { url, context }: { readonly url: string; readonly context: ProviderContext },
): Promise<z.output<typeof Token>> {
  const response = await context.fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: jwt }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TOKEN_LIMIT_MS),
  })
  const text = (await readBounded(response, 64 * 1024)).toString()
  if (!response.ok) throw new ProviderError(`uploads/gcs: no token, the response was ${response.status}`)
  return Token.parse(JSON.parse(text))
}

/** RFC 7523: a JWT that asserts the account's identity, signed with its key. */
function assertion({ client_email, token_uri }: ServiceAccount, key: KeyObject, now: number): string {
  const issuedAt = Math.floor(now / 1000)
  const claims = {
    iss: client_email,
    scope: SCOPE,
    aud: token_uri,
    iat: issuedAt,
    exp: issuedAt + TOKEN_LIFE_S,
  }
  const words = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const text = words.join('.')
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

interface Signing {
  readonly account: ServiceAccount
  readonly key: KeyObject
  readonly now: number
}

/** Google's V4 signing, which is AWS's with an RSA key. */
function signedUrl(address: string, { account, key, now }: Signing): string {
  const url = new URL(address)
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/auto/storage/goog4_request`
  const query = [
    ['X-Goog-Algorithm', 'GOOG4-RSA-SHA256'],
    ['X-Goog-Credential', `${account.client_email}/${scope}`],
    ['X-Goog-Date', time],
    ['X-Goog-Expires', String(SIGNED_FOR_S)],
    ['X-Goog-SignedHeaders', 'host'],
  ]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
  const canonical = ['GET', url.pathname, query, `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['GOOG4-RSA-SHA256', time, scope, digest].join('\n')
  const signature = createSign('RSA-SHA256').update(text).sign(key, 'hex')
  return `${address}?${query}&X-Goog-Signature=${signature}`
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
