import type { AdminTeamsMessages } from '../en/admin-teams.ts'

const solvesOf = (count: number) => (count === 1 ? '1 Lösung' : `${count} Lösungen`)

export const adminTeams: AdminTeamsMessages = {
  title: 'Teams',
  searchHint: 'Name oder E-Mail',
  table: 'Teams',
  none: 'Keine Teams passen zu euren Filtern.',
  name: 'Team',
  status: 'Status',
  statuses: { active: 'aktiv', banned: 'gesperrt', admin: 'Veranstalter' },
  division: 'Wertung',
  email: 'E-Mail',
  noEmail: 'keine',
  score: 'Punkte',
  solves: 'Gelöst',
  registered: 'Registriert',
  ban: 'Sperren',
  unban: 'Entsperren',
  banning: 'Teams werden gesperrt',
  unbanning: 'Teams werden entsperrt',
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
  profile: 'Profil',
  toProfile: 'Öffentliches Profil',
  country: 'Ländercode',
  countryHelp: 'Zwei Buchstaben oder leer lassen',
  statusText: 'Statustext',
  save: 'Speichern',
  nothingChanged: 'Keine Änderungen zum Speichern.',
  saved: 'Gespeichert.',
  deleteSolves: 'Alle Lösungen löschen',
  deleteSolvesTitle: (name) => `Alle Lösungen von ${name} löschen?`,
  deleteSolvesAbout: (count) =>
    `Löscht ${solvesOf(count)} und alle für das Team gemeldeten Punkte endgültig.`,
  solvesDeleted: 'Alle Lösungen gelöscht.',
  deleteSolve: 'Löschen',
  solveDeleted: (name) => `Lösung von ${name} gelöscht.`,
  noSolves: 'Noch keine Lösungen.',
  token: 'Token',
  createToken: 'Token ausstellen',
  tokenTitle: (name) => `Token für ${name} ausstellen?`,
  tokenAbout: 'Wer es hat, kann sich als dieses Team anmelden. Es wird nur einmal angezeigt.',
  tokenLabel: 'Anmelde-Token für dieses Team',
  signOut: 'Überall abmelden',
  signOutTitle: (name) => `${name} überall abmelden?`,
  signOutAbout:
    'Alle Sitzungen und Token dieses Teams werden ungültig. Es kann sich per E-Mail oder mit einem neuen Token von euch wieder anmelden.',
  signedOut: (name) => `${name} wurde überall abgemeldet.`,
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
  danger: 'Sperren und löschen',
  delete: 'Team löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteAbout: (count) =>
    `Löscht das Team und ${solvesOf(count)} endgültig. Eine Sperre behält sie und kann aufgehoben werden.`,
  deleted: (name) => `${name} gelöscht.`,
}
