import type { AdminTeamsWords } from '../en/admin-teams.ts'

const solvesOf = (count: number) => (count === 1 ? '1 Lösung' : `${count} Lösungen`)

export const adminTeams: AdminTeamsWords = {
  title: 'Teams',
  searchHint: 'Name oder Adresse',
  table: 'Teams',
  none: 'Kein Team passt.',
  name: 'Team',
  status: 'Status',
  statuses: { active: 'aktiv', banned: 'gesperrt', admin: 'Organisation' },
  division: 'Wertung',
  email: 'Adresse',
  noEmail: 'keine',
  score: 'Punkte',
  solves: 'Gelöst',
  registered: 'Angemeldet',
  ban: 'Sperren',
  unban: 'Entsperren',
  banning: 'Teams werden gesperrt',
  unbanning: 'Teams werden entsperrt',
  copyEmails: 'Adressen kopieren',
  banMany: (count, solves) =>
    count === 1
      ? `1 Team mit ${solvesOf(solves)} verlässt die Rangliste. Es kann lesen, aber nichts einreichen. Entsperren bringt es zurück.`
      : `${count} Teams mit ${solvesOf(solves)} verlassen die Rangliste. Sie können lesen, aber nichts einreichen. Entsperren bringt sie zurück.`,
  unbanMany: (count, solves) =>
    count === 1
      ? `1 Team mit ${solvesOf(solves)} kehrt in die Rangliste zurück und kann wieder einreichen.`
      : `${count} Teams mit ${solvesOf(solves)} kehren in die Rangliste zurück und können wieder einreichen.`,
  elsewhere: (count) => `davon ${count} auf anderen Seiten der Liste`,
  banTitle: (count) => (count === 1 ? '1 Team sperren?' : `${count} Teams sperren?`),
  unbanTitle: (count) => (count === 1 ? '1 Team entsperren?' : `${count} Teams entsperren?`),
  locked: 'Dieses Team hat Rechte der Organisation. Es kann hier nicht geändert werden.',
  banned: 'Dieses Team ist gesperrt.',
  needsRead: 'Aufgaben vor dem Beginn lesen',
  profile: 'Profil',
  toProfile: 'Öffentliche Seite',
  country: 'Ländercode',
  countryHelp: 'Zwei Buchstaben oder leer',
  statusText: 'Statustext',
  save: 'Speichern',
  nothingChanged: 'Nichts ist geändert.',
  saved: 'Gespeichert.',
  deleteSolves: 'Alle Lösungen löschen',
  deleteSolvesTitle: (name) => `Alle Lösungen von ${name} löschen?`,
  deleteSolvesAbout: (count) =>
    `Entfernt ${solvesOf(count)} und alle für das Team gemeldeten Punkte endgültig.`,
  solvesGone: 'Alle Lösungen wurden gelöscht.',
  deleteSolve: 'Löschen',
  solveGone: (name) => `Die Lösung von ${name} wurde gelöscht.`,
  noSolves: 'Noch nichts gelöst.',
  token: 'Token',
  makeToken: 'Token ausstellen',
  tokenTitle: (name) => `Token für ${name} ausstellen?`,
  tokenAbout: 'Wer es hat, meldet sich als dieses Team an. Es wird einmal gezeigt.',
  tokenLabel: 'Token, das als dieses Team anmeldet',
  audit: 'Einreichungen dieses Teams',
  danger: 'Sperren und löschen',
  delete: 'Team löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteAbout: (count) =>
    `Entfernt das Team und ${solvesOf(count)} endgültig. Eine Sperre behält sie und kann aufgehoben werden.`,
  deleted: (name) => `${name} wurde gelöscht.`,
}
