import { catalogue } from '../../text/catalogue.ts'
import { register } from '../../text/en/register.ts'

export const words = catalogue(register, {
  de: async () => (await import('../../text/de/register.ts')).register,
})
