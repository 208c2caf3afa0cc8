import { z } from 'zod'
import type { Log } from '../../../lib/log.ts'
import type { Messages } from '../../../providers/messages/messages.ts'
import { renderBlood } from '../../../providers/messages/template.ts'
import type { WorldView } from '../../../world/model.ts'
import { isAnnounceable } from './rules.ts'

/** A target of blood announcements. */
export interface Destination {
  readonly messages: Messages
  readonly emojis: readonly string[]
  /** Overrides the provider's default template. */
  readonly template: string | undefined
}

export interface BloodSenderOptions {
  /** By id, as in the outbox rows. */
  readonly destinations: ReadonlyMap<string, Destination>
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Returns a world that includes everything committed before the call, except what is frozen. */
  readonly currentWorld: () => Promise<WorldView>
  readonly now: () => number
  readonly log: Log
}

/** An outbox message, as written by the transaction of the solve. */
const BloodPayload = z.object({
  destination: z.string(),
  id: z.string(),
  bloodNumber: z.int().min(1),
  team: z.object({ id: z.string(), name: z.string() }),
  challenge: z.object({ id: z.string(), name: z.string(), category: z.string() }),
  time: z.number(),
})

/**
 * Sends the outbox rows of kind `message`. Rejects if the target did not accept the message; the worker
 * retries. If the solve must not be announced, the row is dropped for good, so that it is not sent later.
 */
export function createBloodSender({ destinations, origin, currentWorld, now, log }: BloodSenderOptions) {
  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { destination, ...blood } = BloodPayload.parse(payload)
    const found = destinations.get(destination)
    if (!found) throw new Error('the destination is no longer configured')
    if (!isAnnounceable(await currentWorld(), blood, now())) {
      log.info({ solve: blood.id }, 'dropped a first-blood message: the solve is not public')
      return
    }
    const { messages, emojis, template = messages.template } = found
    const text = renderBlood(blood, { template, markup: messages.markup, emojis, origin })
    await messages.send({ blood, text }, signal)
  }
}
