import { catalogue } from '../../text/catalogue.ts'
import { rankingSiteReturn } from '../../text/en/ranking-site-return.ts'

export const words = catalogue(rankingSiteReturn, {
  de: async () => (await import('../../text/de/ranking-site-return.ts')).rankingSiteReturn,
})
