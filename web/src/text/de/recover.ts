import type { RecoverMessages } from '../en/recover.ts'

export const recover: RecoverMessages = {
  title: 'Zugang wiederherstellen',
  text: 'Wir senden einen Anmelde-Link an die E-Mail-Adresse eures Teams.',
  submit: 'Link senden',
  emailDisabled: 'Dieser Wettbewerb versendet keine E-Mails. Fragt die Veranstalter nach einem Token.',
  sent: (address) =>
    `Falls ein Team mit ${address} registriert ist, haben wir einen Anmelde-Link dorthin gesendet.`,
}
