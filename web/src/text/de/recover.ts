import type { RecoverWords } from '../en/recover.ts'

export const recover: RecoverWords = {
  title: 'Zugang zurückholen',
  text: 'Wir senden einen Anmelde-Link an die Adresse eures Teams.',
  submit: 'Link senden',
  off: 'Diese Veranstaltung sendet keine E-Mail. Fragt die Veranstalter nach einem Token.',
  sentTitle: 'Seht in euer Postfach',
  sent: (address) => `Falls ein Team die Adresse ${address} hat, ging ein Anmelde-Link dorthin.`,
}
