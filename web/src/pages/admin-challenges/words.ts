import { catalogue } from '../../text/catalogue.ts'
import { adminChallenges } from '../../text/en/admin-challenges.ts'

export const words = catalogue(adminChallenges, {
  de: async () => (await import('../../text/de/admin-challenges.ts')).adminChallenges,
})
