import { catalogue } from '../text/catalogue.ts'
import { liveParts } from '../text/en/live-parts.ts'

export const liveWords = catalogue(liveParts, {
  de: async () => (await import('../text/de/live-parts.ts')).liveParts,
})
