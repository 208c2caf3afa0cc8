import type { VerifyWords } from '../en/verify.ts'

export const verify: VerifyWords = {
  title: 'Bestätigen',
}
