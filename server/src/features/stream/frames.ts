import type { StreamEventData, StreamEventName } from '@pennant/contract/stream.ts'
import type { LogPosition } from '../../world/model.ts'

/** Clients that reconnect on their own (EventSource) wait this long. */
const RETRY_MS = 2000

/** A comment, which keeps proxies from closing a quiet connection. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** Sent first, because some proxies and browsers report a response only after its first bytes. */
export const OPENING = `retry: ${RETRY_MS}\n\n`

/** The text of one event. Events without a position do not move the client's. */
export function frame<N extends StreamEventName>(
  name: N,
  data: StreamEventData<N>,
  position?: LogPosition,
): string {
  const id = position ? `id: ${positionText(position)}\n` : ''
  return `event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`
}

/** As in `Last-Event-ID`: `seq` and the time of the entry, which differs if a failover lost entries. */
export function positionText({ seq, mark }: LogPosition): string {
  return `${seq}-${mark ?? ''}`
}

const POSITION = /^(\d{1,15})-(\d{1,12}(?:\.\d{1,9})?)?$/

/** Null if the text is not a position. */
export function parsePosition(text: string): LogPosition | null {
  const match = POSITION.exec(text)
  return match ? { seq: Number(match[1]), mark: match[2] ?? null } : null
}
