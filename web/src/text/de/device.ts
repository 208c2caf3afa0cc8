import type { DeviceMessages } from '../en/device.ts'

export const device: DeviceMessages = {
  title: 'Programm anmelden',
  enter: 'Gebt den Code ein, den das Programm zeigt, zum Beispiel nach „pennant login“.',
  code: 'Code',
  codeInvalid: 'Gebt einen Code aus acht Buchstaben ein, etwa BCDF-GHJK.',
  unknown: 'Dieser Code ist unbekannt, verbraucht oder abgelaufen. Startet im Programm noch einmal.',
  compare: 'Zeigt das Programm diesen Code?',
  program: 'Programm',
  address: 'Adresse',
  other:
    'Dieser Browser hat eine andere Adresse. Das ist normal, wenn das Programm auf einem anderen Rechner läuft, etwa einem Server.',
  warn: 'Bestätigt nur, wenn ihr dieses Programm gerade selbst gestartet habt. Wer euch einen Link oder Code für diese Seite schickt, könnte in eurem Namen handeln.',
  as: (team) => `Es handelt in eurem Namen, im Team ${team}:`,
  ends: (time) =>
    `Der Zugriff endet ${time}. Ihr könnt ihn vorher in den Einstellungen unter API-Tokens widerrufen.`,
  scopes: 'Was es darf',
  scopeMissing: 'Wählt mindestens eines aus.',
  confirm: 'Bestätigen',
  deny: 'Ablehnen',
  confirmed: 'Das Programm ist angemeldet. Ihr könnt diese Seite schließen.',
  denied: 'Das Programm wurde abgelehnt. Ihr könnt diese Seite schließen.',
  tooMany: 'Ihr habt zu viele API-Tokens. Widerruft zuerst eines in den Einstellungen.',
}
