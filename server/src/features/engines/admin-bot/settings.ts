import { AdminBotConfig } from '@pennant/contract/admin-challenges.ts'
import type { z } from 'zod'
import type { Challenge } from '../../../world/model.ts'

export type BotSettings = z.output<typeof AdminBotConfig>

/** Null if the admin bot does not visit this challenge. */
export function botSettings({ adminBotConfig }: Challenge): BotSettings | null {
  return adminBotConfig && AdminBotConfig.parse(adminBotConfig)
}
