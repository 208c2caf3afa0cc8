import { catalogue } from '../catalogue.ts'

export const registerMessages = catalogue('register', {
  title: 'Register',
  emailHelp: 'Determines your division.',
  emailOptional: 'Optional, because your team signs in with the ranking site.',
  rankingSite: 'Sign in with the ranking site',
  rankingIdentity: (name: string) =>
    `You are signed in to the ranking site as ${name}. Register here to take part.`,
  closed: 'Registration is closed.',
  opensAt: (at: string) => `Registration opens on ${at}.`,
  untilOpen: 'Until registration opens',
  full: 'All places are taken.',
  waitingList: 'All places are taken. You can join the waiting list.',
  approval: 'The organisers check each registration.',
  closesAt: (at: string) => `Registration closes on ${at}.`,
  code: 'Registration code',
  codeHelp: 'From the organisers.',
  haveTeam: 'Already registered?',
})

export type RegisterMessages = typeof registerMessages.english
