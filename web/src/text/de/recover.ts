import type { RecoverWords } from '../en/recover.ts'

export const recover: RecoverWords = {
  title: 'Zugang wiederherstellen',
}
