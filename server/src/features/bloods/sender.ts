import { z } from 'zod'
import type { Messages } from '../../providers/messages/messages.ts'
import { renderBlood } from '../../providers/messages/template.ts'

/** One who is told of bloods. */
export interface Destination {
  readonly messages: Messages
  readonly emojis: readonly string[]
  /** Instead of the provider's own. */
  readonly template: string | undefined
}

export interface BloodSenderOptions {
  /** By id, as the rows name them. */
  readonly destinations: ReadonlyMap<string, Destination>
  /** Public address of the site, without a trailing slash. */
  readonly origin: string
}

/** A message on its way out, as the transaction of the solve wrote it. */
const BloodPayload = z.object({
  destination: z.string(),
  id: z.string(),
  bloodNumber: z.int().min(1),
  team: z.object({ id: z.string(), name: z.string() }),
  challenge: z.object({ id: z.string(), name: z.string(), category: z.string() }),
  time: z.number(),
})

/** Sends the outbox rows of kind `message`. Rejects when one was not taken over; the worker tries again. */
export function createBloodSender({ destinations, origin }: BloodSenderOptions) {
  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { destination, ...blood } = BloodPayload.parse(payload)
    const found = destinations.get(destination)
    if (!found) throw new Error('a destination that is not in the configuration any more')
    const { messages, emojis, template = messages.template } = found
    const text = renderBlood(blood, { template, markup: messages.markup, emojis, origin })
    await messages.send({ blood, text }, signal)
  }
}
