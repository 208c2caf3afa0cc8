import { catalogue } from '../../text/catalogue.ts'
import { adminExport } from '../../text/en/admin-export.ts'

export const words = catalogue(adminExport, {
  de: async () => (await import('../../text/de/admin-export.ts')).adminExport,
})
