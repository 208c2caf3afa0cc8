export const verify = {
  title: 'Confirm',
  none: 'Open this page by the link from your mail.',
  bad: 'This link is wrong, used or expired.',
  recover: 'Ask for another link',
  register: 'Register',
  create: (team: string, address: string) => `This creates the team ${team} with the address ${address}.`,
  signIn: (team: string) => `This signs you in as ${team}.`,
  change: (team: string, address: string) => `This changes the address of ${team} to ${address}.`,
  gone: 'a team that is gone',
  createDeed: 'Create the team',
  signInDeed: 'Sign in',
  changeDeed: 'Change the address',
  changed: 'The address was changed.',
  toTeam: 'To your team',
}

export type VerifyWords = typeof verify
