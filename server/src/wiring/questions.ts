import type { Config } from '../config/config.ts'
import { createQuestionSender } from '../features/news/messages/sender.ts'
import type { Messages } from '../providers/messages/messages.ts'
import type { ProviderContext } from '../providers/provider.ts'
import type { Senders } from '../worker/outbox.ts'
import { idOf } from './bloods.ts'
import type { Stores } from './stores.ts'

/** By id. Empty when none is configured. */
export type QuestionDestinations = ReadonlyMap<string, Messages>

/** The messengers that tell organisers of new questions. */
export async function startQuestionDestinations(
  { questionBot }: Config,
  context: ProviderContext,
): Promise<QuestionDestinations> {
  const started = new Map<string, Messages>()
  for (const { provider } of questionBot?.destinations ?? [])
    started.set(idOf(provider), await provider.start(context))
  return started
}

/** Always there: rows that were queued before a messenger was removed fail with a clear reason. */
export function questionSenders(
  { origin }: Config,
  { db, follower, log }: Stores,
  destinations: QuestionDestinations,
): Senders {
  const currentWorld = async () => {
    await follower.catchUp()
    return follower.world()
  }
  return { question: createQuestionSender({ db, destinations, origin, currentWorld, log }) }
}
