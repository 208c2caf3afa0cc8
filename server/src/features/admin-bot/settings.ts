import { AdminBotConfig } from '@pennant/contract/admin-challenges.ts'
import type { z } from 'zod'
import type { Challenge } from '../../world/model.ts'

export type BotSettings = z.output<typeof AdminBotConfig>

/** Null for a challenge that the admin bot does not visit. */
export function botSettings({ adminBotConfig }: Challenge): BotSettings | null {
  return adminBotConfig && AdminBotConfig.parse(adminBotConfig)
}
