import type { KeysMessages } from '../en/keys.ts'

export const keys: KeysMessages = {
  all: {
    name: 'Überall',
    list: [
      ['Strg+K', 'Zu Seite, Aufgabe oder Team'],
      ['?', 'Diese Hilfe anzeigen'],
      ['F6', 'Zu den Mitteilungen und zurück'],
      ['Esc', 'Offenes Fenster schließen'],
    ],
  },
  challenges: {
    name: 'Aufgaben',
    list: [
      ['/', 'Suchen'],
      ['j', 'Nächste Aufgabe (in der Liste auch ↓)'],
      ['k', 'Vorherige Aufgabe (in der Liste auch ↑)'],
      ['Enter', 'Aufgabe öffnen'],
      ['f', 'Zum Flag-Feld'],
      ['c', 'Erste Verbindung kopieren'],
      ['x', 'Gelöstes ausblenden'],
      ['[', 'Vorheriger Tab'],
      [']', 'Nächster Tab'],
      ['Esc', 'Zurück zur Liste'],
    ],
  },
  scores: {
    name: 'Rangliste',
    list: [
      ['/', 'Teams suchen'],
      ['m', 'Zum eigenen Team'],
      ['g', 'Verlauf ein- oder ausblenden'],
      ['v', 'Zwischen Liste und Matrix wechseln'],
      ['Pfeile', 'Zwischen Zeilen oder Matrixfeldern bewegen'],
      ['Enter', 'Zeile öffnen'],
    ],
  },
  organisers: {
    name: 'Veranstalter',
    list: [
      ['/', 'Suchen'],
      ['j', 'Nächste Zeile'],
      ['k', 'Vorherige Zeile'],
      ['Enter', 'Zeile öffnen'],
      ['x', 'Zeile auswählen'],
      ['Strg+S', 'Speichern'],
      ['Esc', 'Seitenleiste schließen'],
    ],
  },
}
