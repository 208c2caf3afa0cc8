import type { ChallengesWords } from '../en/challenges.ts'

export const challenges: ChallengesWords = {
  title: 'Aufgaben',
}
