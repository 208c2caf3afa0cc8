import { catalogue } from '../../text/catalogue.ts'
import { adminVerifications } from '../../text/en/admin-verifications.ts'

export const words = catalogue(adminVerifications, {
  de: async () => (await import('../../text/de/admin-verifications.ts')).adminVerifications,
})
