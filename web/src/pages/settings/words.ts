import { catalogue } from '../../text/catalogue.ts'
import { settings } from '../../text/en/settings.ts'

export const words = catalogue(settings, {
  de: async () => (await import('../../text/de/settings.ts')).settings,
})
