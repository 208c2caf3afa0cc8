import type { StreamEventData, StreamEventName } from '@pennant/contract/stream.ts'
import { createSealer } from '../../../lib/sealer.ts'
import type { LogPosition } from '../../../world/model.ts'

/** Clients that reconnect on their own (EventSource) wait this long. */
const RETRY_MS = 2000

/** Sent first, because some proxies and browsers report a response only after its first bytes. */
export const OPENING = `retry: ${RETRY_MS}\n\n`

/** The text of one event. Events without an id do not move the client's position. */
export function frame<N extends StreamEventName>(name: N, data: StreamEventData<N>, id?: string): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** What a client has. */
export interface StreamPosition extends LogPosition {
  /** Unix milliseconds up to which it has what the clock did, such as scheduled releases. */
  readonly at: number
}

/**
 * Event ids: positions of the change log, sealed, because numbers and times of entries would reveal private activity. The same key
 * opens them on every replica.
 */
export interface EventIds {
  /** Sealed once per entry. */
  ofEntry(entry: LogPosition): string
  /** Another text each time, so that no one can recognize a position that has not moved. */
  of(position: StreamPosition): string
  /** Null if it is no id of this contest. */
  parse(id: string): StreamPosition | null
}

const POSITION = /^(\d{1,15})-(\d{1,12}(?:\.\d{1,9})?)?-(\d{1,15})? *$/
/** All ids have the same length. */
const POSITION_LENGTH = 56

export function createEventIds(key: Buffer): EventIds {
  const sealer = createSealer(key)
  const known = new WeakMap<LogPosition, string>()
  const seal = ({ seq, mark }: LogPosition, at: number | '') =>
    sealer.seal(`${seq}-${mark ?? ''}-${at}`.padEnd(POSITION_LENGTH))

  return {
    ofEntry(entry) {
      const id = known.get(entry) ?? seal(entry, '')
      known.set(entry, id)
      return id
    },
    of: (position) => seal(position, Math.floor(position.at)),
    parse(id) {
      const match = POSITION.exec(sealer.open(id) ?? '')
      if (!match) return null
      const [, seq, mark = null, at] = match
      return { seq: Number(seq), mark, at: at === undefined ? Number(mark) * 1000 : Number(at) }
    },
  }
}
