import type { AdminTeamsMessages } from '../en/admin-teams.ts'

const solvesOf = (count: number) => (count === 1 ? '1 Lösung' : `${count} Lösungen`)

export const adminTeams: AdminTeamsMessages = {
  title: 'Teams',
  searchHelp: 'Name oder E-Mail',
  none: 'Keine Teams passen zu euren Filtern.',
  statuses: { active: 'aktiv', banned: 'gesperrt', admin: 'Veranstalter' },
  noEmail: 'keine',
  registered: 'Registriert',
  create: 'Team anlegen',
  createAbout: 'Das Team kann sofort mitspielen. Seine E-Mail-Adresse wird nicht geprüft.',
  created: (name) => `${name} wurde angelegt`,
  createdAbout:
    'Schickt dem Team diesen Anmeldelink. Er wird nur einmal angezeigt; alle Mitglieder können ihn benutzen.',
  done: 'Fertig',
  ban: 'Sperren',
  unban: 'Entsperren',
  banning: 'Teams werden gesperrt',
  unbanning: 'Teams werden entsperrt',
  writeMail: 'Mail schreiben',
  copyEmails: 'E-Mails kopieren',
  banMany: (count, solves) =>
    count === 1
      ? `1 Team mit ${solvesOf(solves)} verschwindet von der Rangliste und kann keine Flags einreichen. Entsperren macht das rückgängig.`
      : `${count} Teams mit ${solvesOf(solves)} verschwinden von der Rangliste und können keine Flags einreichen. Entsperren macht das rückgängig.`,
  unbanMany: (count, solves) =>
    count === 1
      ? `1 Team mit ${solvesOf(solves)} kehrt in die Rangliste zurück und kann wieder einreichen.`
      : `${count} Teams mit ${solvesOf(solves)} kehren in die Rangliste zurück und können wieder einreichen.`,
  onOtherPages: (count) => `davon ${count} auf anderen Seiten`,
  banTitle: (count) => (count === 1 ? '1 Team sperren?' : `${count} Teams sperren?`),
  unbanTitle: (count) => (count === 1 ? '1 Team entsperren?' : `${count} Teams entsperren?`),
  locked: 'Dieses Team hat Veranstalterrechte und kann hier nicht geändert werden.',
  banned: 'Dieses Team ist gesperrt.',
  needsRead: 'Aufgaben vor dem Beginn ansehen',
  toProfile: 'Öffentliches Profil',
  country: 'Ländercode',
  countryHelp: 'Zwei Buchstaben oder leer lassen',
  statusText: 'Statustext',
  deleteSolves: 'Alle Lösungen löschen',
  deleteSolvesTitle: (name) => `Alle Lösungen von ${name} löschen?`,
  deleteSolvesAbout: (count) =>
    `Löscht ${solvesOf(count)} und alle für das Team gemeldeten Punkte endgültig.`,
  solvesDeleted: 'Alle Lösungen gelöscht.',
  deleteSolve: 'Löschen',
  solveDeleted: (name) => `Lösung von ${name} gelöscht.`,
  adjustments: 'Punktkorrekturen',
  adjustPointsHelp: 'Negativ zum Abziehen',
  adjustReason: 'Grund',
  adjustReasonHelp: 'Für alle sichtbar',
  adjust: 'Punkte korrigieren',
  adjusted: 'Korrigiert',
  adjustIncomplete: 'Gebt eine ganze Zahl außer 0 und einen Grund ein.',
  undo: 'Zurücknehmen',
  undone: (time) => `Zurückgenommen ${time}`,
  by: (name) => `von ${name}`,
  undoDone: 'Punktkorrektur zurückgenommen.',
  token: 'Token',
  createToken: 'Token ausstellen',
  tokenTitle: (name) => `Token für ${name} ausstellen?`,
  tokenAbout: 'Wer es hat, kann sich als dieses Team anmelden. Es wird nur einmal angezeigt.',
  tokenLabel: 'Anmelde-Token für dieses Team',
  signOut: 'Überall abmelden',
  signOutTitle: (name) => `${name} überall abmelden?`,
  signOutAbout:
    'Alle Sitzungen und Token dieses Teams werden ungültig. Es kann sich per E-Mail oder mit einem neuen Token von euch wieder anmelden.',
  signedOut: 'Abgemeldet',
  role: 'Veranstalterrolle',
  roleOf: (name) => `Was ${name} darf`,
  roles: {
    none: 'Keine Rolle',
    owner: 'Inhaber',
    author: 'Aufgabenautor',
    judge: 'Schiedsrichter',
    support: 'Support',
    custom: 'Andere',
  },
  ownerHelp: 'Alles, auch die Rollen anderer',
  ownRole: 'Ein anderer Inhaber kann eure Rolle ändern.',
  saveRole: 'Rolle ändern',
  roleTitle: (name) => `Rolle von ${name} ändern?`,
  roleAbout:
    'Das Team wird überall abgemeldet. Danach bekommt ihr einen Anmeldelink für das Team, der nur einmal angezeigt wird.',
  roleSaved: (name) => `Rolle von ${name} geändert.`,
  signInLink: 'Anmeldelink für dieses Team',
  audit: 'Einreichungen dieses Teams',
  actions: 'Aktionen der Veranstalter an diesem Team',
  danger: 'Sperren und löschen',
  erase: 'Personenbezogene Daten löschen',
  eraseTitle: (name) => `Die personenbezogenen Daten von ${name} löschen?`,
  eraseAbout:
    'Für ein Team, das darum bittet: Name, Profil, Adressen, Nachrichten und Tokens werden gelöscht, und niemand kann sich mehr dort anmelden. Seine Lösungen bleiben ohne Namen in der Rangliste; ohne Lösungen ist das Team weg.',
  erased: 'Die personenbezogenen Daten sind gelöscht.',
  delete: 'Team löschen',
  deleteAbout: (count) =>
    `Löscht das Team und ${solvesOf(count)} endgültig. Eine Sperre behält sie und kann aufgehoben werden.`,
}
