import type { PersonDataMessages } from '../en/person-data.ts'

export const personData: PersonDataMessages = {
  title: 'Gespeicherte Daten',
  responsible: 'Wer verantwortlich ist',
  notNamed: 'Die Veranstalter haben hier niemanden genannt. Frag sie mit einer Nachricht.',
  kept: 'Wie lange sie gespeichert werden',
  eraseAt: (time) => `E-Mail- und IP-Adressen werden am ${time} gelöscht. Namen und Ergebnisse bleiben.`,
  erasesMessages: 'Private Nachrichten werden auch gelöscht.',
  after: 'Danach kann dir kein Anmeldelink mehr geschickt werden. Behalte einen anderen Weg zur Anmeldung.',
  noDate: 'Die Veranstalter haben kein Datum gesetzt. Du kannst deine Daten hier jederzeit löschen.',
  you: 'Du',
  youAbout:
    'Die Datei enthält deinen Namen und deine Adresse, Sitzungen, Anmeldewege und was du eingereicht, gekauft, gestartet und geschrieben hast. Sie enthält keine Passwörter und keine Tokens.',
  team: (name) => `Euer Team: ${name}`,
  teamAbout:
    'Die Datei enthält das Profil des Teams, seine Adressen, Personen mit Namen, Lösungen, Einreichungen, Nachrichten und akzeptierte Seiten.',
  notCaptain: 'Der Captain kann die Daten des Teams herunterladen und das Team löschen.',
  downloadYou: 'Herunterladen, was über dich gespeichert ist',
  downloadTeam: 'Herunterladen, was über das Team gespeichert ist',
  deleteYou: 'Mein Konto löschen',
  deleteYouTitle: 'Dein Konto löschen?',
  deleteYouText:
    'Dein Name, deine Adresse, Sitzungen und Anmeldewege werden gelöscht. Was du getan hast, bleibt beim Team, von „einer gelöschten Person“. Das kann nicht rückgängig gemacht werden.',
  lastTitle: 'Auch das Team löschen?',
  lastText:
    'Du bist die letzte Person deines Teams, und niemand sonst kann sich dort anmelden. Es wird mit dir gelöscht; wenn es Lösungen hat, bleiben sie ohne Namen in der Rangliste.',
  deleteBoth: 'Konto und Team löschen',
  deleteTeam: 'Das Team löschen',
  deleteTeamTitle: 'Das Team löschen?',
  deleteTeamText:
    'Name, Profil, Adressen, Nachrichten und Tokens werden gelöscht, und niemand kann sich mehr beim Team anmelden. Wenn es Lösungen hat, bleiben sie als „Deleted team“ in der Rangliste. Seine Personen behalten ihre Konten. Das kann nicht rückgängig gemacht werden.',
  organisers: 'Teams von Veranstaltern werden hier nicht gelöscht.',
  deleted: 'Gelöscht. Du bist abgemeldet.',
  failures: {
    badConfirmation: 'Der Name ist nicht der aktuelle. Lade die Seite neu und versuche es noch einmal.',
    badHandOver: 'Du bist Captain von anderen. Bestimme in den Einstellungen zuerst einen anderen Captain.',
    badUserPrivileged:
      'Teams von Veranstaltern werden hier nicht gelöscht. Bitte einen Owner, dir zuerst die Rechte zu nehmen.',
  },
}
