import type { IncomingMessage } from 'node:http'
import { badRateLimit, errorUnavailable } from '@pennant/contract/replies.ts'
import { goodStream, openStream } from '@pennant/contract/stream.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import { acceptsStream, type Live } from '../../../http/response/live.ts'
import { RETRY_AFTER_MS, type StreamClient } from './connections.ts'
import type { StreamHub } from './hub.ts'

export interface StreamDeps {
  readonly hub: StreamHub
}

export function streamRoutes({ hub }: StreamDeps): Endpoint[] {
  function admit(client: StreamClient, lastEventId: string | undefined) {
    const open: Live['open'] = (response) => replyTo(hub.open(client, lastEventId, response))
    return replyTo(hub.refusal(client)) ?? ({ kind: 'live', open } satisfies Live)
  }

  return [
    on(openStream, ({ team, ip, incoming: { raw } }) => {
      const client = clientOf(team, ip)
      const lastEventId = positionHeader(raw)
      // A stream that stays open would outlive a revoked API token: its clients reconnect instead.
      const staysOpen = wantsStream(raw) && !team?.apiToken
      const respond = () =>
        staysOpen ? admit(client, lastEventId) : goodStream(hub.poll(client, lastEventId))
      return hub.ready(lastEventId)?.then(respond) ?? respond()
    }),
  ]
}

function replyTo(refusal: ReturnType<StreamHub['refusal']>) {
  if (refusal === null) return null
  const isAboutClient = refusal === 'address' || refusal === 'team'
  return isAboutClient ? badRateLimit({ timeLeft: RETRY_AFTER_MS }) : errorUnavailable()
}

function clientOf(team: Actor | null, ip: string): StreamClient {
  // What concerns organisers and private messages is for people only.
  const isExternal = team?.isExternal === true || team?.apiToken !== undefined
  const own = team && {
    id: team.id,
    isExternal,
    issuedAt: team.tokenIssuedAt,
    perms: team.perms,
    ...(team.person && { person: team.person }),
  }
  return { address: addressKey(ip), team: own }
}

/** A HEAD request has no body. */
function wantsStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && acceptsStream(headers.accept)
}

function positionHeader({ headers }: IncomingMessage): string | undefined {
  const value = headers['last-event-id']
  return value === undefined || value === '' ? undefined : String(value)
}
