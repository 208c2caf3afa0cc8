import { createParser } from 'eventsource-parser'
import { openStream, streamEvents, type StreamEventName } from '@pennant/contract/stream.ts'
import { isDeepStrictEqual } from 'node:util'
import { eventIdsOf } from '../src/wiring/streams.ts'
import { eventually } from './eventually.ts'
import { testTokenKey } from './harness.ts'
import { checkResponse } from './strict.ts'

export interface ReceivedEvent {
  readonly name: StreamEventName
  readonly id: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- each name has its own shape, which is checked on receipt
  readonly data: any
}

/** A client of the live stream, which checks each event against the contract. */
export interface StreamReader {
  readonly response: Response
  readonly events: readonly ReceivedEvent[]
  /** Waits for an event that was not returned before, and whose data is the wanted one. */
  next(name: StreamEventName, isWanted?: (data: ReceivedEvent['data']) => boolean): Promise<ReceivedEvent>
  /** The id of the last event that has one. */
  lastEventId(): string | undefined
  /** Whether the server has ended the stream. */
  isEnded(): boolean
  /** Reads no more until the returned function is called, so that what the server sends piles up. */
  pause(): () => void
  close(): void
}

/** Opens and makes event ids of a test contest. */
export const eventIds = eventIdsOf(testTokenKey)

/** The number of the entry of the change log. */
export function seqOf(id = ''): number | undefined {
  return eventIds.parse(id)?.seq
}

/** The id of an entry that no process has read yet. */
export const idAhead = eventIds.of({ seq: 999_999, mark: '1.5', at: 0 })

export interface ReaderOptions {
  readonly token?: string
  readonly lastEventId?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export async function readStream(
  url: string,
  { token, lastEventId, headers }: ReaderOptions = {},
): Promise<StreamReader> {
  const events: ReceivedEvent[] = []
  const taken = new Set<ReceivedEvent>()
  const stop = new AbortController()
  let mayRead = Promise.resolve()
  let isEnded = false
  const response = await fetch(url + openStream.path, {
    signal: stop.signal,
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  })
  if (!response.ok) checkResponse(openStream, response, await response.clone().text())
  void consume(response, events, () => mayRead)
    .finally(() => (isEnded = true))
    .catch(() => {})
  return {
    response,
    events,
    next: (name, isWanted = () => true) =>
      eventually(() => {
        const isNext = (event: ReceivedEvent) =>
          event.name === name && !taken.has(event) && isWanted(event.data)
        const found = events.find(isNext)
        if (!found)
          throw new Error(`no event ${name}; received ${events.map((event) => event.name).join(', ')}`)
        taken.add(found)
        return found
      }),
    lastEventId: () => events.findLast(({ id }) => id !== undefined)?.id,
    isEnded: () => isEnded,
    pause() {
      let resume = () => {}
      mayRead = new Promise((resolve) => (resume = resolve))
      return resume
    },
    close: () => stop.abort(),
  }
}

/** The events of a complete response. */
export function eventsIn(text: string): ReceivedEvent[] {
  const events: ReceivedEvent[] = []
  const parser = parserInto(events)
  parser.feed(text)
  return events
}

async function consume(
  response: Response,
  events: ReceivedEvent[],
  mayRead: () => Promise<void>,
): Promise<void> {
  const parser = parserInto(events)
  const decoder = new TextDecoder()
  if (!response.ok || !response.body) return
  for await (const bytes of response.body) {
    await mayRead()
    parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }))
  }
}

function parserInto(events: ReceivedEvent[]) {
  return createParser({
    onEvent({ event, id, data }) {
      const name = event as StreamEventName
      const value: unknown = JSON.parse(data)
      const parsed = streamEvents[name].parse(value)
      if (!isDeepStrictEqual(parsed, value)) throw new Error(`${name} has undeclared fields: ${data}`)
      events.push({ name, id, data: value })
    },
  })
}
