import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Queries } from '../db/database.ts'
import { createBloodSender, type Destination } from '../features/bloods/sender.ts'
import { watchBloods } from '../features/bloods/store.ts'
import type { ProviderWorld } from '../providers/provider.ts'
import type { Sender } from '../worker/outbox.ts'

export type Destinations = ReadonlyMap<string, Destination>

/** Who is told of bloods. Empty when the configuration names nobody. */
export async function startDestinations({ bloodBot }: Config, world: ProviderWorld): Promise<Destinations> {
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

/** Stays the same when entries change places, and tells nothing of the address. Entered twice is told once. */
function idOf({ name, options }: { readonly name: string; readonly options: unknown }): string {
  return createHash('sha256')
    .update(JSON.stringify([name, options]))
    .digest('hex')
    .slice(0, 16)
}

/** From now on the solves of this contest become messages to the destinations, and of none besides. */
export async function startBloods(
  { bloodBot, origin }: Config,
  db: Queries,
  destinations: Destinations,
): Promise<Sender | null> {
  if (!bloodBot) {
    await watchBloods(db, null)
    return null
  }
  await watchBloods(db, { bloodsCount: bloodBot.bloodsCount, destinations: [...destinations.keys()] })
  return createBloodSender({ destinations, origin })
}
