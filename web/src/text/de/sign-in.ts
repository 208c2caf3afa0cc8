import type { SignInMessages } from '../en/sign-in.ts'

export const signIn: SignInMessages = {
  title: 'Anmelden',
  tokenHelp: 'Ihr könnt auch einen Anmelde-Link einfügen.',
  reveal: 'Token anzeigen',
  rankingSite: 'Mit der Ranking-Seite anmelden',
  lost: 'Verloren?',
  recover: 'Zugang wiederherstellen',
  askOrganisers: 'Fragt die Veranstalter.',
  noTeam: 'Noch kein Team?',
}
