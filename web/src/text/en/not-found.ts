export const notFound = {
  title: 'Not found',
  text: 'This page does not exist, or is not open to you.',
  home: 'Home',
  challenges: 'Challenges',
  scores: 'Scoreboard',
}

export type NotFoundWords = typeof notFound
