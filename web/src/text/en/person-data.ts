import { catalogue } from '../catalogue.ts'

export const personDataMessages = catalogue('personData', {
  title: 'Your data',
  responsible: 'Who is responsible',
  notNamed: 'The organisers have not named anyone here. Ask them by a message.',
  kept: 'How long it is kept',
  eraseAt: (time: string) => `Email and IP addresses are erased on ${time}. Names and results stay.`,
  erasesMessages: 'Private messages are erased too.',
  after: 'After that, no sign-in link can be mailed to you. Keep another way to sign in.',
  noDate: 'The organisers have set no date. You can delete your data here at any time.',
  you: 'You',
  youAbout:
    'The file has your name and address, sessions, ways to sign in, what you submitted, bought, started and wrote. It has no passwords and no tokens.',
  team: (name: string) => `Your team: ${name}`,
  teamAbout:
    'The file has the profile of the team, its addresses, people by name, solves, submissions, messages and accepted pages.',
  notCaptain: 'The captain can download the data of the team and delete the team.',
  downloadYou: 'Download what is stored about you',
  downloadTeam: 'Download what is stored about the team',
  deleteYou: 'Delete my account',
  deleteYouTitle: 'Delete your account?',
  deleteYouText:
    'Your name, address, sessions and ways to sign in are deleted. What you did stays with the team, by “a deleted person”. This cannot be undone.',
  lastTitle: 'Delete the team as well?',
  lastText:
    'You are the last person of your team, and no one else can sign in to it. It is deleted with you; if it has solves, they stay in the standings without a name.',
  deleteBoth: 'Delete account and team',
  deleteTeam: 'Delete the team',
  deleteTeamTitle: 'Delete the team?',
  deleteTeamText:
    'Name, profile, addresses, messages and tokens are deleted, and no one can sign in to the team. If it has solves, they stay in the standings as “Deleted team”. Its people keep their accounts. This cannot be undone.',
  organisers: 'Teams of organisers are not deleted here.',
  deleted: 'Deleted. You are signed out.',
  failures: {
    badConfirmation: 'The name is not the current one. Reload the page, then try again.',
    badHandOver: 'You are captain of others. Name another captain in the settings first.',
    badUserPrivileged:
      'Teams of organisers are not deleted here. Ask an owner to take your permissions first.',
  } as Readonly<Record<string, string>>,
})

export type PersonDataMessages = typeof personDataMessages.english
