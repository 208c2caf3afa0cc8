import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request that the fake received. */
export interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly type: string | undefined
  readonly authorization: string | undefined
  readonly body: string
}

export interface SiteResponse {
  readonly status?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface FakeRankingSite extends AsyncDisposable {
  /** Always grants consent, for the newest entry of `teams`. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userUrl: string
  readonly requests: SiteRequest[]
  /** Issued authorization codes and the team of each. */
  readonly teams: Map<string, unknown>
  /** Overrides the response at a path; with null the site never responds. */
  readonly responses: Map<string, SiteResponse | null>
}

export const siteClient = { clientId: 'pennant at the site', clientSecret: 'our secret there' }

/**
 * The part of a ranking site that sign-in needs: codes are exchanged for access tokens, which identify the
 * team.
 */
export async function startFakeRankingSite(): Promise<FakeRankingSite> {
  const requests: SiteRequest[] = []
  const teams = new Map<string, unknown>()
  const responses = new Map<string, SiteResponse | null>()
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const body = await text(request)
    requests.push({ method, path, type: headers['content-type'], authorization: headers.authorization, body })
    const given = responses.has(path)
      ? responses.get(path)
      : usual(path, { body, authorization: headers.authorization })
    if (!given) return
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
    response.end(given.body)
  }

  function usual(path: string, sent: { body: string; authorization: string | undefined }): SiteResponse {
    if (path.startsWith('/authorize?'))
      return { status: 302, body: '', headers: { location: backFrom(path) } }
    if (path === '/token') {
      const form = new URLSearchParams(sent.body)
      const isOurs =
        form.get('client_id') === siteClient.clientId && form.get('client_secret') === siteClient.clientSecret
      const code = form.get('code') ?? ''
      if (!isOurs || !teams.has(code)) return { status: 401, body: '{"error":"invalid_grant"}' }
      return { body: JSON.stringify({ access_token: `access ${code}`, token_type: 'bearer' }) }
    }
    const code = sent.authorization?.replace('Bearer access ', '') ?? ''
    if (!teams.has(code)) return { status: 401, body: '{}' }
    return { body: JSON.stringify({ id: 1, team: teams.get(code) }) }
  }

  function backFrom(path: string): string {
    const asked = new URL(path, 'http://site.test').searchParams
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', Array.from(teams.keys()).at(-1) ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    return back.href
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    authorizeUrl: `${base}/authorize`,
    tokenUrl: `${base}/token`,
    userUrl: `${base}/user`,
    requests,
    teams,
    responses,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
