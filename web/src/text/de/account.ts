import type { AccountMessages } from '../en/account.ts'

export const account: AccountMessages = {
  name: 'Teamname',
  nameHelp: '2–64 Buchstaben, Ziffern oder Sonderzeichen (ASCII).',
  email: 'E-Mail-Adresse',
  missing: 'Dieses Feld ist erforderlich.',
  unconfirmed: 'Wir konnten das nicht bestätigen. Prüft es, bevor ihr es erneut versucht.',
  saveTokenTitle: 'Speichert euer Team-Token',
  saveTokenText: 'Das ist das Passwort eures Teams. Speichert es jetzt.',
  savedCheckbox: 'Ich habe es gespeichert',
  saveFirst: 'Speichert zuerst das Token.',
  invite: 'Teammitglied einladen',
  inviteText:
    'Dieser Link meldet als euer Team an, genau wie das Token. Teilt ihn nur im Team: Er gilt, bis ihr euch überall abmeldet.',
  copyInvitation: 'Einladungslink kopieren',
  showQr: 'QR-Code anzeigen',
  hideQr: 'QR-Code ausblenden',
  qrAlternative: 'QR-Code des Einladungslinks. Als Text liefert ihn „Einladungslink kopieren“.',
  qrFailed: 'Der QR-Code konnte nicht geladen werden. Kopiert stattdessen den Link.',
  inbox: (address) =>
    `Wir haben einen Link an ${address} gesendet. Er gilt etwa eine Stunde. Prüft auch den Spam-Ordner.`,
  signedIn: (name) => `Ihr seid als ${name} angemeldet.`,
  otherAddress: 'Andere Adresse verwenden',
}
