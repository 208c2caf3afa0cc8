import type { AdminChallengesWords } from '../en/admin-challenges.ts'

export const adminChallenges: AdminChallengesWords = {
  title: 'Aufgaben',
}
