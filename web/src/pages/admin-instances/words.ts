import { catalogue } from '../../text/catalogue.ts'
import { adminInstances } from '../../text/en/admin-instances.ts'

export const words = catalogue(adminInstances, {
  de: async () => (await import('../../text/de/admin-instances.ts')).adminInstances,
})
