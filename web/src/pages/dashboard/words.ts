import { catalogue } from '../../text/catalogue.ts'
import { dashboard } from '../../text/en/dashboard.ts'

export const words = catalogue(dashboard, {
  de: async () => (await import('../../text/de/dashboard.ts')).dashboard,
})
