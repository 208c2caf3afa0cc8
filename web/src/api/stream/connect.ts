import { HEARTBEAT_MS, openStream, STREAM_TYPE, type StreamEventName } from '@pennant/contract/stream.ts'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { createParser } from 'eventsource-parser'

export interface StreamEvent {
  readonly name: StreamEventName
  readonly data: unknown
}

export interface ReadOptions {
  readonly token: string | null
  /** The position to continue from. */
  readonly lastEventId: string | null
  readonly signal: AbortSignal
  readonly onEvent: (event: StreamEvent, id: string | undefined) => void
  /** Bytes arrived: the connection works. */
  readonly onAlive: () => void
}

/** Two heartbeats may be lost in a bad network. */
const SILENT_AFTER_MS = 2.5 * HEARTBEAT_MS
/** A proxy that buffers delivers not even the first event. */
const FIRST_WITHIN_MS = 15 * SECOND_MS
/** After a response that is not a stream, or none at all in time. */
const UNUSABLE_MS = 5 * MINUTE_MS
const REFUSED_MS = MINUTE_MS

/**
 * Reads one connection until it ends. Returns how long to wait before the next one, at least: 0 if it may follow
 * immediately, null if the server has no stream. Rejects if the network fails.
 */
export async function readStream(options: ReadOptions): Promise<number | null> {
  const { signal, onAlive } = options
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), FIRST_WITHIN_MS)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENT_AFTER_MS)
    onAlive()
  }
  try {
    const response = await request(options, STREAM_TYPE, AbortSignal.any([signal, silence.signal]))
    const waitMs = waitAfter(response)
    if (waitMs !== 0) {
      await response.body?.cancel()
      return waitMs
    }
    await consume(response, options, alive)
    return 0
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) return UNUSABLE_MS
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads what has happened since the position, in a response that ends, where no connection can stay open. Resolves and rejects as
 * `readStream`; 0 if the events were read.
 */
export async function pollStream(options: Omit<ReadOptions, 'onAlive'>): Promise<number | null> {
  const timeout = AbortSignal.timeout(FIRST_WITHIN_MS)
  const response = await request(options, '*/*', AbortSignal.any([options.signal, timeout]))
  const waitMs = waitAfter(response)
  if (waitMs === 0) parserFor(options).feed(await response.text())
  else await response.body?.cancel()
  return waitMs
}

type Asked = Pick<ReadOptions, 'token' | 'lastEventId'>

function request({ token, lastEventId }: Asked, accept: string, signal: AbortSignal): Promise<Response> {
  return fetch(openStream.path, {
    signal,
    cache: 'no-store',
    headers: {
      accept,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    },
  })
}

/** 0 for a stream. */
function waitAfter({ ok, status, headers }: Response): number | null {
  if (status === 404) return null
  if (status === 429 || status === 503) {
    const seconds = Number(headers.get('retry-after') ?? 0)
    return Math.max(REFUSED_MS, seconds * SECOND_MS)
  }
  return ok && (headers.get('content-type') ?? '').startsWith(STREAM_TYPE) ? 0 : UNUSABLE_MS
}

async function consume(response: Response, options: ReadOptions, onAlive: () => void): Promise<void> {
  const parser = parserFor(options)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return
    onAlive()
    parser.feed(part.value)
  }
}

function parserFor({ onEvent }: Pick<ReadOptions, 'onEvent'>) {
  return createParser({
    onEvent: ({ event, id, data }) => {
      onEvent({ name: (event ?? 'message') as StreamEventName, data: JSON.parse(data) as unknown }, id)
    },
  })
}
