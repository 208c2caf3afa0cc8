import { catalogue } from '../../text/catalogue.ts'
import { adminSettings } from '../../text/en/admin-settings.ts'

export const words = catalogue(adminSettings, {
  de: async () => (await import('../../text/de/admin-settings.ts')).adminSettings,
})
