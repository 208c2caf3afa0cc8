import type { ProfileWords } from '../en/profile.ts'

export const profile: ProfileWords = {
  title: 'Team',
  gone: 'Kein solches Team',
  goneText: 'Es ist verborgen oder nicht mehr da.',
  toScores: 'Zur Rangliste',
  score: (points) => `${points} Punkte`,
  place: (place) => `Platz ${place}`,
  divisionPlace: (place, division) => `Platz ${place} in ${division}`,
  notRanked: 'noch ohne Platz',
  onlyYou: 'Nur ihr seht dies:',
  edit: 'Bearbeiten',
  banned: 'Euer Team ist gesperrt.',
  categories: 'Nach Kategorie',
  solves: 'Lösungen',
  challenge: 'Aufgabe',
  category: 'Kategorie',
  points: 'Punkte',
  when: 'Nach dem Beginn',
  blood: 'Erste',
  noSolves: 'Noch nichts gelöst.',
  live: 'Laufend gewertet',
}
