import { catalogue } from '../../text/catalogue.ts'
import { home } from '../../text/en/home.ts'

export const words = catalogue(home, { de: async () => (await import('../../text/de/home.ts')).home })
