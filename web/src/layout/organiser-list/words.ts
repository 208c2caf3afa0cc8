import { catalogue } from '../../text/catalogue.ts'
import { organiserList } from '../../text/en/organiser-list.ts'

export const words = catalogue(organiserList, {
  de: async () => (await import('../../text/de/organiser-list.ts')).organiserList,
})
