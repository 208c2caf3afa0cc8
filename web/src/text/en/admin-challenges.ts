export const adminChallenges = {
  title: 'Challenges',
}

export type AdminChallengesWords = typeof adminChallenges
