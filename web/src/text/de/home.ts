import type { HomeWords } from '../en/home.ts'

export const home: HomeWords = {
  title: 'Start',
  startsIn: 'Beginnt in',
  endsIn: 'Endet in',
  over: 'Die Veranstaltung ist vorbei.',
  from: (local) => `Von ${local}`,
  to: (local) => `bis ${local}`,
  register: 'Registrieren',
  signIn: 'Anmelden',
  challenges: 'Zu den Aufgaben',
  standings: 'Zum Endstand',
  team: 'Zu eurem Team',
  now: 'Jetzt',
  ownPlace: 'Euer Team',
  placeAndScore: (place, score) => `Platz ${place} · ${score} Punkte`,
  notRanked: 'Noch ohne Platz',
  newest: 'Neueste Aufgaben',
  noChallenges: 'Noch keine.',
  topFive: 'Die ersten fünf',
  noScores: 'Noch hat niemand Punkte.',
  sponsors: 'Förderer',
}
