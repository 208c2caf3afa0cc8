import type { ConsentWords } from '../en/consent.ts'

export const consent: ConsentWords = {
  title: 'Fortfahren',
}
