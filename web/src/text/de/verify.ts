import type { VerifyWords } from '../en/verify.ts'

export const verify: VerifyWords = {
  title: 'Bestätigen',
  none: 'Öffnet diese Seite über den Link aus eurer E-Mail.',
  bad: 'Dieser Link ist falsch, benutzt oder abgelaufen.',
  recover: 'Neuen Link anfordern',
  register: 'Registrieren',
  create: (team, address) => `Dies legt das Team ${team} mit der Adresse ${address} an.`,
  signIn: (team) => `Dies meldet euch als ${team} an.`,
  change: (team, address) => `Dies ändert die Adresse von ${team} auf ${address}.`,
  gone: 'ein Team, das es nicht mehr gibt',
  createDeed: 'Team anlegen',
  signInDeed: 'Anmelden',
  changeDeed: 'Adresse ändern',
  changed: 'Die Adresse wurde geändert.',
  toTeam: 'Zu eurem Team',
}
