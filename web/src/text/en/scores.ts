export const scores = {
  title: 'Scoreboard',
}

export type ScoresWords = typeof scores
