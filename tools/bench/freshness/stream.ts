import { openStream } from '@pennant/contract/stream.ts'
import { createParser } from 'eventsource-parser'

/** A live stream that notes when solves arrive. */
export interface WatchedStream extends Disposable {
  /** When the solve arrived, in the time of `performance.now()`; waits for it. */
  arrival(challengeId: string, teamId: string): Promise<number>
}

const keyOf = (challengeId: string, teamId: string) => `${challengeId} ${teamId}`

/** Resolves when the stream is open. */
export async function watchStream(url: string): Promise<WatchedStream> {
  const stop = new AbortController()
  const arrivals = new Map<string, number>()
  const waiting = new Map<string, (at: number) => void>()
  const parser = createParser({
    onEvent({ event, data }) {
      if (event !== 'solves') return
      const at = performance.now()
      const { solves } = JSON.parse(data) as { solves: { challengeId: string; userId: string }[] }
      for (const { challengeId, userId } of solves) {
        const key = keyOf(challengeId, userId)
        arrivals.set(key, at)
        waiting.get(key)?.(at)
      }
    },
  })
  const headers = { accept: 'text/event-stream' }
  const response = await fetch(url + openStream.path, { headers, signal: stop.signal })
  if (response.status !== 200) throw new Error(`the stream was refused: ${response.status}`)
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const bytes of response.body ?? [])
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }))
  }
  // Ends when it is closed.
  void read().catch(() => {})
  return {
    arrival(challengeId, teamId) {
      const key = keyOf(challengeId, teamId)
      const at = arrivals.get(key)
      return at === undefined ? new Promise((resolve) => waiting.set(key, resolve)) : Promise.resolve(at)
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}
