import type { Provider } from '../provider.ts'
import { memoryModeration } from './memory.ts'
import type { Moderation } from './moderation.ts'
import { openaiModeration } from './openai.ts'

export const moderationProviders: readonly Provider<Moderation>[] = [openaiModeration, memoryModeration]
