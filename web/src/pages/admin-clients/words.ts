import { catalogue } from '../../text/catalogue.ts'
import { adminClients } from '../../text/en/admin-clients.ts'

export const words = catalogue(adminClients, {
  de: async () => (await import('../../text/de/admin-clients.ts')).adminClients,
})
