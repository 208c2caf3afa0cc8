import { catalogue } from '../../text/catalogue.ts'
import { signIn } from '../../text/en/sign-in.ts'

export const words = catalogue(signIn, { de: async () => (await import('../../text/de/sign-in.ts')).signIn })
