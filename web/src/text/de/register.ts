import type { RegisterWords } from '../en/register.ts'

export const register: RegisterWords = {
  title: 'Registrieren',
  submit: 'Registrieren',
  emailHelp: 'Aus ihr folgt die Wertung eures Teams.',
  emailOptional: 'Sie kann leer bleiben: Euer Team meldet sich mit der Ranking-Seite an.',
  rankingSite: 'Mit der Ranking-Seite anmelden',
  cameFrom: (name) => `Die Ranking-Seite kennt euch als ${name}. Registriert euch hier, um mitzumachen.`,
  closed: 'Die Registrierung ist geschlossen.',
  haveTeam: 'Ist euer Team schon registriert?',
  signIn: 'Anmelden',
}
