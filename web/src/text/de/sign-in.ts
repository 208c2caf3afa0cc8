import type { SignInWords } from '../en/sign-in.ts'

export const signIn: SignInWords = {
  title: 'Anmelden',
  submit: 'Anmelden',
  token: 'Team-Token',
  tokenHelp: 'Auch ein eingefügter Anmelde-Link geht.',
  reveal: 'Token zeigen',
  rankingSite: 'Mit der Ranking-Seite anmelden',
  lost: 'Verloren?',
  recover: 'Zugang zurückholen',
  askOrganisers: 'Fragt die Veranstalter.',
  noTeam: 'Noch kein Team?',
  register: 'Registrieren',
}
