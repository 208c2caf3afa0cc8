import type { ClosedMessages } from '../en/closed.ts'

export const closed: ClosedMessages = {
  closed: {
    home: 'Nur die Veranstalter sehen die Startseite.',
    challenges: 'Die Aufgaben sind geschlossen',
    scoreboard: 'Die Rangliste ist geschlossen',
    profiles: 'Die Teamprofile sind geschlossen',
    statistics: 'Die Statistik ist geschlossen',
  },
  signIn: {
    home: 'Dieser Wettbewerb ist für Teilnehmende.',
    challenges: 'Die Aufgaben sind für Teilnehmende',
    scoreboard: 'Die Rangliste ist für Teilnehmende',
    profiles: 'Die Teamprofile sind für Teilnehmende',
    statistics: 'Die Statistik ist für Teilnehmende',
  },
  askOrganisers: 'Nur die Veranstalter können das sehen. Wenn ihr es sehen solltet, fragt sie.',
  signInText: 'Meldet euch mit eurem Team an, um das zu sehen.',
  part: {
    home: 'Startseite',
    challenges: 'Aufgaben',
    scoreboard: 'Rangliste',
    profiles: 'Teamprofile',
    statistics: 'Statistik',
  },
  partHelp: {
    home: 'Ihr Text, die Sponsoren und die Beschreibung in Linkvorschauen. Name und Zeiten bleiben sichtbar.',
    challenges: 'Texte, Hinweise, Dateien, Instanzen und das Feld für Flags.',
    scoreboard: 'Plätze, Diagramme, Lösungen und First Bloods, auf allen Seiten.',
    profiles: 'Seiten, Bilder, Länder und Statustexte von Teams.',
    statistics: 'Die Statistik nach dem Ende, falls sie veröffentlicht wird.',
  },
  level: {
    everyone: 'Alle',
    signedIn: 'Angemeldete Teams',
    division: 'Teams, nur ihre eigene Wertung',
    organisers: 'Nur Veranstalter',
  },
}
