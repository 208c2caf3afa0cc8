import type { ScoresWords } from '../en/scores.ts'

export const scores: ScoresWords = {
  title: 'Rangliste',
}
