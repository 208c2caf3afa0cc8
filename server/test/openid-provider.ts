import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// The real provider of the package `oidc-provider`, in this process. It has no types of its own.
interface OidcProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
}
interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
    readonly provider: OidcProvider
  }
}

export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string
  /** Claims by subject; whoever signs in next is `subject`, or cancels with null. */
  readonly accounts: Map<string, Record<string, unknown>>
  subject: string | null
  /** Follows the browser's way to the provider and returns the query of the way back. */
  visit(url: string): Promise<string>
}

export const ourClient = { clientId: 'pennant', clientSecret: 'our secret at the provider' }
export const otherClient = { clientId: 'other', clientSecret: 'secret of the other client' }

/** `redirectUri` is that of both clients. */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, Record<string, unknown>>()
  // @ts-expect-error -- the package has no types
  const { default: Provider } = (await import('oidc-provider')) as {
    default: new (issuer: string, options: object) => OidcProvider
  }
  const clients = [ourClient, otherClient].map(({ clientId, clientSecret }) => ({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post',
  }))
  const provider = new Provider(issuer, {
    clients,
    cookies: { keys: ['of a test'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups', 'realm_access'],
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id }),
    }),
    async loadExistingGrant({ oidc: { client, session, provider: own } }: GrantContext) {
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  const own: OpenIdProvider = {
    issuer,
    accounts,
    subject: null,
    visit: (url) => follow(url, redirectUri),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const result =
      own.subject === null
        ? { error: 'access_denied', error_description: 'cancelled' }
        : { login: { accountId: own.subject } }
    void provider.interactionFinished(request, response, result)
  })
  return own
}

async function follow(start: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let step = 0; step < 10; step += 1) {
    if (url.startsWith(redirectUri)) return new URL(url).search.slice(1)
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${url} has ${response.status}: ${await response.text()}`)
    url = new URL(next, url).href
  }
  throw new Error('too many redirects')
}
