import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { openStream, streamEvents, type StreamEventName } from '@pennant/contract/stream.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../lib/errors.ts'
import { inline } from '../play/challenges.ts'
import { withoutUnseen } from '../play/marked.ts'
import { openSite, type PlayCommand } from './play.ts'
import type { ProcessContext } from './process-context.ts'

const RETRY_MS = 3000
/** After that many attempts in a row without a connection it gives up: about ten minutes. */
const MAX_ATTEMPTS = 200

/** `pennant play watch`: prints what happens, until the process is stopped. */
export async function watch(context: ProcessContext, command: PlayCommand): Promise<void> {
  const { origin, token } = await openSite(context, command)
  let position: string | undefined
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const response = await fetch(`${origin}${openStream.path}`, {
      headers: position === undefined ? headers : { ...headers, 'last-event-id': position },
    }).catch(() => null)
    if (response?.ok && response.body) {
      attempts = 0
      const parser = createParser({
        onEvent: (event) => {
          position = event.id ?? position
          for (const line of linesOf(event)) context.print(withoutUnseen(line))
        },
      })
      try {
        const text = new TextDecoder()
        for await (const chunk of response.body)
          parser.feed(text.decode(chunk as Uint8Array, { stream: true }))
      } catch {
        // The connection broke; the next one continues from the position.
      }
    } else if (response && response.status < 500 && response.status !== 429) {
      throw new StartError(`${origin} refused the stream with status ${response.status}.`)
    }
    await sleep(RETRY_MS)
  }
  throw new StartError(`${origin} cannot be reached.`)
}

/** What a person wants to see of an event. */
export function linesOf({ event, data }: Pick<EventSourceMessage, 'event' | 'data'>): string[] {
  if (event === undefined || !(event in streamEvents)) return []
  const lines = described[event as StreamEventName]
  const read = streamEvents[event as StreamEventName].safeParse(jsonOf(data))
  return read.success && lines ? lines(read.data as never) : []
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Named {
  readonly name: string
  readonly category: string
  readonly points: number
}

const described: { readonly [N in StreamEventName]?: (data: never) => string[] } = {
  solves: ({
    solves,
  }: {
    solves: readonly { userName: string; challengeName: string; bloodIndex: number | null }[]
  }) =>
    solves.map(
      ({ userName, challengeName, bloodIndex }) =>
        `${inline(userName)} solved ${inline(challengeName)}${bloodIndex === 0 ? ', the first' : ''}`,
    ),
  challenges: ({ released }: { released: readonly Named[] }) =>
    released.map(
      ({ name, category, points }) => `new challenge: ${inline(category)}, ${inline(name)}, ${points} points`,
    ),
  announcements: ({ published }: { published: readonly { title: string; content: string }[] }) =>
    published.map(({ title, content }) => `announcement: ${inline(title)}\n${content}`),
  team: ({ score, globalPlace }: { score: number; globalPlace: number | null }) => [
    `${score} points, ${globalPlace === null ? 'not ranked' : `rank ${globalPlace}`}`,
  ],
  phase: ({ phase }: { phase: string }) => [`the event: ${phase}`],
  message: ({ threadIds }: { threadIds: readonly string[] }) =>
    threadIds.map((id) => `thread ${id} has news`),
  instance: ({ challengeIds }: { challengeIds: readonly string[] }) =>
    challengeIds.map((id) => `the instance of ${id} changed`),
}
