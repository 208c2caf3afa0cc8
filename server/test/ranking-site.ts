import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the stand-in was asked, in order. */
export interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly type: string | undefined
  readonly authorization: string | undefined
  readonly body: string
}

export interface SiteAnswer {
  readonly status?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface RankingSiteStandIn extends AsyncDisposable {
  /** Consents at once, as the last of `teams`. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userUrl: string
  readonly requests: SiteRequest[]
  /** Codes that the site has given out, and who got them. */
  readonly teams: Map<string, unknown>
  /** Overrides the answer at a path; null never answers. */
  readonly answers: Map<string, SiteAnswer | null>
}

export const siteClient = { clientId: 'pennant at the site', clientSecret: 'our secret there' }

/** A ranking site as far as sign-in needs one: codes become access tokens, access tokens tell the team. */
export async function startRankingSite(): Promise<RankingSiteStandIn> {
  const requests: SiteRequest[] = []
  const teams = new Map<string, unknown>()
  const answers = new Map<string, SiteAnswer | null>()
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const body = await text(request)
    requests.push({ method, path, type: headers['content-type'], authorization: headers.authorization, body })
    const given = answers.has(path)
      ? answers.get(path)
      : usual(path, { body, authorization: headers.authorization })
    if (!given) return
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
    response.end(given.body)
  }

  function usual(path: string, sent: { body: string; authorization: string | undefined }): SiteAnswer {
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
    answers,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
