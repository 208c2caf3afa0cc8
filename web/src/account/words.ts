import { catalogue } from '../text/catalogue.ts'
import { account } from '../text/en/account.ts'

/** What the pages about coming in share. */
export const accountWords = catalogue(account, {
  de: async () => (await import('../text/de/account.ts')).account,
})
