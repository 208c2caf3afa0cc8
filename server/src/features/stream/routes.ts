import type { IncomingMessage } from 'node:http'
import { badRateLimit, errorUnavailable } from '@pennant/contract/replies.ts'
import { goodStream, openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import { addressKey } from '../../http/client-address.ts'
import { on, type Actor, type Endpoint } from '../../http/handler.ts'
import { RETRY_AFTER_MS, type StreamClient } from './connections.ts'
import type { StreamHub } from './hub.ts'

export interface StreamDeps {
  readonly hub: StreamHub
}

export function streamRoutes({ hub }: StreamDeps): Endpoint[] {
  return [
    on(openStream, async ({ team, ip, incoming: { raw } }) => {
      const client = clientOf(team, ip)
      const lastEventId = positionHeader(raw)
      await hub.ready(lastEventId)
      if (!wantsStream(raw)) return goodStream(hub.opening(client, lastEventId))
      const refusal = hub.refusal(client)
      if (refusal === 'total' || refusal === 'closed') return errorUnavailable()
      if (refusal !== null) return badRateLimit({ timeLeft: RETRY_AFTER_MS })
      return {
        kind: 'live',
        open: (response) => hub.open(client, lastEventId, response),
      }
    }),
  ]
}

function clientOf(team: Actor | null, ip: string): StreamClient {
  const own = team && { id: team.id, isExternal: team.isExternal, issuedAt: team.tokenIssuedAt }
  return { address: addressKey(ip), team: own }
}

/** A HEAD request has no body. */
function wantsStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').toLowerCase().includes(STREAM_TYPE)
}

function positionHeader({ headers }: IncomingMessage): string | undefined {
  const value = headers['last-event-id']
  return value === undefined || value === '' ? undefined : String(value)
}
