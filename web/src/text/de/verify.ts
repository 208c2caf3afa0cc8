import type { VerifyMessages } from '../en/verify.ts'

export const verify: VerifyMessages = {
  title: 'Bestätigen',
  none: 'Öffnet diese Seite über den Link in eurer E-Mail.',
  bad: 'Dieser Link ist ungültig, verbraucht oder abgelaufen.',
  recover: 'Neuen Link anfordern',
  create: (team, address) => `Dies legt das Team ${team} mit der E-Mail-Adresse ${address} an.`,
  signIn: (team) => `Dies meldet euch als ${team} an.`,
  change: (team, address) => `Dies ändert die E-Mail-Adresse von ${team} auf ${address}.`,
  deletedTeam: 'ein gelöschtes Team',
  createLabel: 'Team anlegen',
  changeLabel: 'E-Mail ändern',
  changed: 'E-Mail geändert.',
  youAreAdmin: 'Ihr seid Administrator. Vier Schritte auf der nächsten Seite richten den Wettbewerb ein.',
}
