import { z } from 'zod'
import { Instant } from './instants.ts'

export const MAX_ERASE_DAYS = 3650
export const MAX_CONTROLLER = 2000

/** docs/operate/personal-data.md */
export const PrivacySettings = z
  .object({
    controller: z.string().max(MAX_CONTROLLER),
    eraseAt: Instant,
    eraseAfterDays: z.int().min(0).max(MAX_ERASE_DAYS),
    eraseMessages: z.boolean(),
  })
  .partial()
