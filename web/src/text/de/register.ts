import type { RegisterMessages } from '../en/register.ts'

export const register: RegisterMessages = {
  title: 'Registrieren',
  emailHelp: 'Bestimmt eure Wertung.',
  emailOptional: 'Optional, weil sich euer Team mit der Ranking-Seite anmeldet.',
  rankingSite: 'Mit der Ranking-Seite anmelden',
  rankingIdentity: (name) =>
    `Ihr seid bei der Ranking-Seite als ${name} angemeldet. Registriert euch hier, um mitzumachen.`,
  closed: 'Die Registrierung ist geschlossen.',
  haveTeam: 'Schon registriert?',
}
