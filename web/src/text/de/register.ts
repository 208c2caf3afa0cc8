import type { RegisterWords } from '../en/register.ts'

export const register: RegisterWords = {
  title: 'Registrieren',
}
