import { catalogue } from '../../text/catalogue.ts'
import { profile } from '../../text/en/profile.ts'

export const words = catalogue(profile, {
  de: async () => (await import('../../text/de/profile.ts')).profile,
})
