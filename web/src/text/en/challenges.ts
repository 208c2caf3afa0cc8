export const challenges = {
  title: 'Challenges',
}

export type ChallengesWords = typeof challenges
