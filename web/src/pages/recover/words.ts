import { catalogue } from '../../text/catalogue.ts'
import { recover } from '../../text/en/recover.ts'

export const words = catalogue(recover, {
  de: async () => (await import('../../text/de/recover.ts')).recover,
})
