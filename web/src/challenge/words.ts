import { catalogue } from '../text/catalogue.ts'
import { challenges } from '../text/en/challenges.ts'

export const words = catalogue(challenges, {
  de: async () => (await import('../text/de/challenges.ts')).challenges,
})
