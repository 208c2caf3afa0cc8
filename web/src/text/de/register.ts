import type { RegisterMessages } from '../en/register.ts'

export const register: RegisterMessages = {
  title: 'Registrieren',
  emailHelp: 'Bestimmt eure Wertung.',
  emailOptional: 'Optional, weil sich euer Team mit der Ranking-Seite anmeldet.',
  rankingSite: 'Mit der Ranking-Seite anmelden',
  rankingIdentity: (name) =>
    `Ihr seid bei der Ranking-Seite als ${name} angemeldet. Registriert euch hier, um mitzumachen.`,
  closed: 'Die Registrierung ist geschlossen.',
  opensAt: (at) => `Die Registrierung öffnet am ${at}.`,
  untilOpen: 'Bis zur Öffnung der Registrierung',
  full: 'Alle Plätze sind vergeben.',
  waitingList: 'Alle Plätze sind vergeben. Ihr könnt euch auf die Warteliste setzen.',
  approval: 'Die Veranstalter prüfen jede Registrierung.',
  closesAt: (at) => `Die Registrierung schließt am ${at}.`,
  code: 'Registrierungscode',
  codeHelp: 'Von den Veranstaltern.',
  haveTeam: 'Schon registriert?',
}
