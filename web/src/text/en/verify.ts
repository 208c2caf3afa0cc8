import { catalogue } from '../catalogue.ts'

export const verifyMessages = catalogue('verify', {
  title: 'Confirm',
  none: 'Open this page with the link in your email.',
  bad: 'This link is invalid, used or expired.',
  recover: 'Request a new link',
  create: (team: string, address: string) =>
    `This creates the team ${team} with the email address ${address}.`,
  signIn: (team: string) => `This signs you in as ${team}.`,
  change: (team: string, address: string) => `This changes the email address of ${team} to ${address}.`,
  deletedTeam: 'a deleted team',
  createLabel: 'Create team',
  changeLabel: 'Change email',
  changed: 'Email changed.',
  youAreAdmin: 'You are the administrator. Four steps on the next page set up the event.',
})

export type VerifyMessages = typeof verifyMessages.english
