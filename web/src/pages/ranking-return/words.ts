import { catalogue } from '../../text/catalogue.ts'
import { rankingReturn } from '../../text/en/ranking-return.ts'

export const words = catalogue(rankingReturn, {
  de: async () => (await import('../../text/de/ranking-return.ts')).rankingReturn,
})
