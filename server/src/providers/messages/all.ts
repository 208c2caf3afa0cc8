import type { Provider } from '../provider.ts'
import { discordMessages } from './discord.ts'
import type { Messages } from './messages.ts'
import { telegramMessages } from './telegram.ts'
import { webhookMessages } from './webhook.ts'

export const messageProviders: readonly Provider<Messages>[] = [
  discordMessages,
  telegramMessages,
  webhookMessages,
]
