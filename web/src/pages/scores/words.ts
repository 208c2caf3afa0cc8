import { catalogue } from '../../text/catalogue.ts'
import { scores } from '../../text/en/scores.ts'

export const words = catalogue(scores, { de: async () => (await import('../../text/de/scores.ts')).scores })
