import type { Provider } from '../provider.ts'
import type { AdminBot } from './admin-bot.ts'
import { browserBot } from './browser.ts'

export const adminBotProviders: readonly Provider<AdminBot>[] = [browserBot]
