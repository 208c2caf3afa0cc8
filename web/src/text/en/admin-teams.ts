import { catalogue } from '../catalogue.ts'

const solvesOf = (count: number) => (count === 1 ? '1 solve' : `${count} solves`)

export const adminTeamsMessages = catalogue('adminTeams', {
  title: 'Teams',
  searchHelp: 'Name or email',
  none: 'No teams match your filters.',
  statuses: { active: 'active', banned: 'banned', admin: 'organiser' },
  noEmail: 'none',
  registered: 'Registered',
  create: 'Create team',
  createAbout: 'The team can play immediately. Its email address is not verified.',
  created: (name: string) => `Created ${name}`,
  createdAbout: 'Send this sign-in link to the team. It is shown only once; its members can share it.',
  done: 'Done',
  ban: 'Ban',
  unban: 'Unban',
  banning: 'Banning teams',
  unbanning: 'Unbanning teams',
  writeMail: 'Write a mail',
  copyEmails: 'Copy emails',
  banMany: (count: number, solves: number) =>
    count === 1
      ? `1 team with ${solvesOf(solves)} is removed from the scoreboard and cannot submit flags. Unbanning restores it.`
      : `${count} teams with ${solvesOf(solves)} are removed from the scoreboard and cannot submit flags. Unbanning restores them.`,
  unbanMany: (count: number, solves: number) =>
    count === 1
      ? `1 team with ${solvesOf(solves)} returns to the scoreboard and can submit again.`
      : `${count} teams with ${solvesOf(solves)} return to the scoreboard and can submit again.`,
  onOtherPages: (count: number) => `${count} of them on other pages`,
  banTitle: (count: number) => (count === 1 ? 'Ban 1 team?' : `Ban ${count} teams?`),
  unbanTitle: (count: number) => (count === 1 ? 'Unban 1 team?' : `Unban ${count} teams?`),
  locked: 'This team has organiser permissions and cannot be changed here.',
  banned: 'This team is banned.',
  needsRead: 'view challenges before the start',
  toProfile: 'Public profile',
  country: 'Country code',
  countryHelp: 'Two letters, or leave empty',
  statusText: 'Status text',
  deleteSolves: 'Delete all solves',
  deleteSolvesTitle: (name: string) => `Delete all solves by ${name}?`,
  deleteSolvesAbout: (count: number) =>
    `This permanently deletes ${solvesOf(count)} and all points pushed for the team.`,
  solvesDeleted: 'All solves deleted.',
  deleteSolve: 'Delete',
  solveDeleted: (name: string) => `Deleted the solve of ${name}.`,
  adjustments: 'Score adjustments',
  adjustPointsHelp: 'Negative to deduct',
  adjustReason: 'Reason',
  adjustReasonHelp: 'Visible to everyone',
  adjust: 'Adjust score',
  adjusted: 'Adjusted',
  adjustIncomplete: 'Enter a whole number other than 0, and a reason.',
  undo: 'Undo',
  undone: (time: string) => `Undone ${time}`,
  by: (name: string) => `by ${name}`,
  undoDone: 'Score adjustment undone.',
  token: 'Token',
  createToken: 'Create token',
  tokenTitle: (name: string) => `Create a token for ${name}?`,
  tokenAbout: 'Anyone who has it can sign in as this team. It is shown only once.',
  tokenLabel: 'Sign-in token for this team',
  signOut: 'Sign out everywhere',
  signOutTitle: (name: string) => `Sign out ${name} everywhere?`,
  signOutAbout:
    'All sessions and tokens of this team stop working. The team can sign in again by email or with a new token from you.',
  signedOut: 'Signed out',
  role: 'Organiser role',
  roleOf: (name: string) => `What ${name} may do`,
  roles: {
    none: 'No role',
    owner: 'Owner',
    author: 'Challenge author',
    judge: 'Judge',
    support: 'Support',
    referee: 'Referee',
    custom: 'Other',
  } as Record<'none' | 'owner' | 'author' | 'judge' | 'support' | 'referee' | 'custom', string>,
  ownerHelp: 'Everything, including the roles of others',
  ownRole: 'Another owner can change your role.',
  saveRole: 'Change role',
  roleTitle: (name: string) => `Change the role of ${name}?`,
  roleAbout:
    'The team is signed out everywhere. You then get a sign-in link for it, which is shown only once.',
  roleSaved: (name: string) => `Changed the role of ${name}.`,
  signInLink: 'Sign-in link for this team',
  audit: 'Submissions of this team',
  actions: 'Organiser actions on this team',
  danger: 'Ban and delete',
  erase: 'Erase personal data',
  eraseTitle: (name: string) => `Erase the personal data of ${name}?`,
  eraseAbout:
    'For a team that asks for it: name, profile, addresses, messages and tokens are deleted, and no one can sign in to it. Its solves stay in the standings without a name; without solves the team is gone.',
  erased: 'The personal data was erased.',
  delete: 'Delete team',
  deleteAbout: (count: number) =>
    `This permanently deletes the team and ${solvesOf(count)}. A ban keeps them and can be undone.`,
})

export type AdminTeamsMessages = typeof adminTeamsMessages.english
