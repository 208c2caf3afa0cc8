const solvesOf = (count: number) => (count === 1 ? '1 solve' : `${count} solves`)

export const adminTeams = {
  title: 'Teams',
  searchHint: 'Name or address',
  table: 'Teams',
  none: 'No team matches.',
  name: 'Team',
  status: 'Status',
  statuses: { active: 'active', banned: 'banned', admin: 'organiser' },
  division: 'Division',
  email: 'Address',
  noEmail: 'none',
  score: 'Score',
  solves: 'Solves',
  registered: 'Registered',
  ban: 'Ban',
  unban: 'Unban',
  banning: 'Banning teams',
  unbanning: 'Lifting bans',
  copyEmails: 'Copy addresses',
  banMany: (count: number, solves: number) =>
    count === 1
      ? `1 team with ${solvesOf(solves)} leaves the scoreboard. It can read, but not submit. Unbanning brings it back.`
      : `${count} teams with ${solvesOf(solves)} leave the scoreboard. They can read, but not submit. Unbanning brings them back.`,
  unbanMany: (count: number, solves: number) =>
    count === 1
      ? `1 team with ${solvesOf(solves)} returns to the scoreboard and may submit again.`
      : `${count} teams with ${solvesOf(solves)} return to the scoreboard and may submit again.`,
  elsewhere: (count: number) => `${count} of them on other pages of the list`,
  banTitle: (count: number) => (count === 1 ? 'Ban 1 team?' : `Ban ${count} teams?`),
  unbanTitle: (count: number) => (count === 1 ? 'Unban 1 team?' : `Unban ${count} teams?`),
  locked: 'This team has rights of an organiser. It cannot be changed here.',
  banned: 'This team is banned.',
  needsRead: 'reading challenges before the start',
  profile: 'Profile',
  toProfile: 'Public page',
  country: 'Country code',
  countryHelp: 'Two letters, or empty',
  statusText: 'Status text',
  save: 'Save',
  nothingChanged: 'Nothing is changed.',
  saved: 'Saved.',
  deleteSolves: 'Delete all solves',
  deleteSolvesTitle: (name: string) => `Delete all solves of ${name}?`,
  deleteSolvesAbout: (count: number) =>
    `Removes ${solvesOf(count)} and all points that were pushed for the team, for good.`,
  solvesGone: 'All solves were deleted.',
  deleteSolve: 'Delete',
  solveGone: (name: string) => `The solve of ${name} was deleted.`,
  noSolves: 'Nothing solved yet.',
  token: 'Token',
  makeToken: 'Make a token',
  tokenTitle: (name: string) => `Make a token for ${name}?`,
  tokenAbout: 'Whoever has it signs in as this team. It is shown once.',
  tokenLabel: 'Token that signs in as this team',
  audit: 'Submissions of this team',
  danger: 'Ban and delete',
  delete: 'Delete team',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteAbout: (count: number) =>
    `Removes the team and ${solvesOf(count)} for good. A ban keeps them and can be lifted.`,
  deleted: (name: string) => `${name} was deleted.`,
}

export type AdminTeamsWords = typeof adminTeams
