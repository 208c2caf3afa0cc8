import type { AccountWords } from '../en/account.ts'

export const account: AccountWords = {
  name: 'Teamname',
  nameHelp: '2 bis 64 einfache Buchstaben, Ziffern und Zeichen.',
  email: 'E-Mail-Adresse',
  missing: 'Das wird gebraucht.',
  noAnswer: 'Nicht gesendet, oder die Antwort ging verloren. Erst nachsehen, dann noch einmal versuchen.',
  tooFast: 'Zu oft in kurzer Zeit.',
  nextIn: (seconds) => `Wieder in ${seconds} s`,
  keepTitle: 'Bewahrt euer Team-Token auf',
  keepText:
    'Es läuft nie ab und meldet als euer Team an. Speichert es jetzt: Ohne es kommt ihr vielleicht nicht zurück.',
  token: 'Team-Token',
  download: 'Herunterladen',
  stored: 'Wir haben es gespeichert',
  storeFirst: 'Speichert zuerst das Token.',
  goOn: 'Weiter',
  inboxTitle: 'Seht in euer Postfach',
  inbox: (address) => `Ein Link ging an ${address}. Er gilt etwa eine Stunde. Seht auch im Spam nach.`,
  signedIn: (name) => `Ihr seid als ${name} angemeldet.`,
  otherAddress: 'Andere Adresse nehmen',
}
