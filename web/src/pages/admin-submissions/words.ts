import { catalogue } from '../../text/catalogue.ts'
import { adminSubmissions } from '../../text/en/admin-submissions.ts'

export const words = catalogue(adminSubmissions, {
  de: async () => (await import('../../text/de/admin-submissions.ts')).adminSubmissions,
})
