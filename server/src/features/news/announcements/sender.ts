import { SECOND_MS } from '@pennant/contract/durations.ts'
import { z } from 'zod'
import { cut } from '../../../lib/cut.ts'
import { TryLaterError } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/log.ts'
import type { Messages } from '../../../providers/messages/messages.ts'
import type { WorldView } from '../../../world/model.ts'
import { isVisibleToAll } from './rules.ts'
import { announcementRows } from './rows.ts'

export interface AnnouncementSenderOptions {
  /** By id, as in the outbox rows. */
  readonly destinations: ReadonlyMap<string, { readonly messages: Messages }>
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Returns a world that includes everything committed before the call. */
  readonly currentWorld: () => Promise<WorldView>
  readonly now: () => number
  readonly log: Log
}

const Payload = z.object({ destination: z.string(), announcement: z.string() })

/** Messengers limit the length; the rest is on the site. */
const MAX_CONTENT = 1000
const RETRY_MS = 5 * SECOND_MS

/** Sends the outbox rows of kind `announcement`: what is public when its time has come, and nothing else. */
export function createAnnouncementSender(options: AnnouncementSenderOptions) {
  const { destinations, origin, currentWorld, now, log } = options
  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { destination, announcement: id } = Payload.parse(payload)
    const found = destinations.get(destination)
    if (!found) throw new Error('the destination is no longer configured')
    const world = await currentWorld()
    const row = world.rows(announcementRows).find((each) => each.id === id)
    if (!row || !row.forward || row.audience.kind !== 'all') {
      log.info({ announcement: id }, 'dropped a message: the announcement was withdrawn')
      return
    }
    // The database decides when the row is due, and its clock may be ahead.
    if (!isVisibleToAll(row, { world, now: now() })) throw new TryLaterError('not published yet', RETRY_MS)
    const { messages } = found
    const { title, content, severity, publishAt: time } = row
    const url = `${origin}/announcements`
    const shown = content.length > MAX_CONTENT ? `${cut(content, MAX_CONTENT)} …` : content
    const { markup } = messages
    const text = `[${markup.text(title)}](${markup.url(url)})\n\n${markup.text(shown)}`.trim()
    await messages.send({ announcement: { id, title, content, severity, time, url }, text }, signal)
  }
}
