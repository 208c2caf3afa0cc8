import { catalogue } from '../../text/catalogue.ts'
import { consent } from '../../text/en/consent.ts'

export const words = catalogue(consent, {
  de: async () => (await import('../../text/de/consent.ts')).consent,
})
