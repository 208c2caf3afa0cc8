import type { RegisterWords } from '../en/register.ts'

export const register: RegisterWords = {
  title: 'Registrieren',
  submit: 'Registrieren',
  emailHelp: 'Aus ihr folgt die Division eures Teams.',
  closed: 'Die Registrierung ist geschlossen.',
  haveTeam: 'Ist euer Team schon registriert?',
  signIn: 'Anmelden',
}
