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
  sponsors: 'Förderer',
}
