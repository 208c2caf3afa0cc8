import { catalogue } from '../../text/catalogue.ts'
import { notFound } from '../../text/en/not-found.ts'

export const words = catalogue(notFound, {
  de: async () => (await import('../../text/de/not-found.ts')).notFound,
})
