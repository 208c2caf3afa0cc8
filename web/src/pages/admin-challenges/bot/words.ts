import { catalogue } from '../../../text/catalogue.ts'
import { botApi } from '../../../text/en/bot-api.ts'

/** What is said of the names that an author may use. */
export const botApiWords = catalogue(botApi, {
  de: async () => (await import('../../../text/de/bot-api.ts')).botApi,
})
