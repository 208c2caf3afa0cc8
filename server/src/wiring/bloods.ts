import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { createBloodSender, type Destination } from '../features/contest/bloods/sender.ts'
import { watchBloods } from '../features/contest/bloods/store.ts'
import type { ProviderContext } from '../providers/provider.ts'
import type { Senders } from '../worker/outbox.ts'
import type { Stores } from './stores.ts'

export type Destinations = ReadonlyMap<string, Destination>

/** The destinations of first-blood messages. Empty when none is configured. */
export async function startDestinations({ bloodBot }: Config, world: ProviderContext): Promise<Destinations> {
  const started = new Map<string, Destination>()
  for (const { provider, bloodEmojis, messageTemplate } of bloodBot?.destinations ?? []) {
    started.set(idOf(provider), {
      messages: await provider.start(world),
      emojis: bloodEmojis,
      template: messageTemplate,
    })
  }
  return started
}

/**
 * Independent of the order of entries, and reveals nothing about the address. Duplicate entries receive one
 * message.
 */
export function idOf({ name, options }: { readonly name: string; readonly options: unknown }): string {
  return createHash('sha256')
    .update(JSON.stringify([name, options]))
    .digest('hex')
    .slice(0, 16)
}

interface Sending {
  readonly destinations: Destinations
  /** What else goes to the destinations. */
  readonly others: (options: Parameters<typeof createBloodSender>[0]) => Senders
}

/** Sends future first bloods and announcements of this contest to the destinations, and only to them. */
export async function startBloods(
  { bloodBot, origin }: Config,
  { db, follower, now, log }: Stores,
  { destinations, others }: Sending,
): Promise<Senders> {
  if (!bloodBot) {
    await watchBloods(db, null)
    return {}
  }
  await watchBloods(db, { bloodsCount: bloodBot.bloodsCount, destinations: [...destinations.keys()] })
  const currentWorld = async () => {
    await follower.catchUp()
    return follower.world()
  }
  const options = { destinations, origin, currentWorld, now, log }
  const currentlyShown = async () => {
    await follower.catchUp()
    return follower.shown()
  }
  return {
    message: createBloodSender({ ...options, currentWorld: currentlyShown }),
    ...others(options),
  }
}
