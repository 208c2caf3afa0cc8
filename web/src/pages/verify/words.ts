import { catalogue } from '../../text/catalogue.ts'
import { verify } from '../../text/en/verify.ts'

export const words = catalogue(verify, { de: async () => (await import('../../text/de/verify.ts')).verify })
