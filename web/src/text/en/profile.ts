export const profile = {
  title: 'Team',
  gone: 'No such team',
  goneText: 'It may be hidden, or gone.',
  toScores: 'To the scoreboard',
  score: (points: string) => `${points} points`,
  place: (place: string) => `Place ${place}`,
  divisionPlace: (place: string, division: string) => `place ${place} in ${division}`,
  notRanked: 'not ranked yet',
  onlyYou: 'Only you see this:',
  edit: 'Edit',
  banned: 'Your team is banned.',
  categories: 'By category',
  solves: 'Solves',
  challenge: 'Challenge',
  category: 'Category',
  points: 'Points',
  when: 'After the start',
  blood: 'Blood',
  noSolves: 'Nothing solved yet.',
  live: 'Scored live',
}

export type ProfileWords = typeof profile
