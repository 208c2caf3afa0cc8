import { catalogue } from '../catalogue.ts'

export const registerMessages = catalogue('register', {
  title: 'Register',
  emailHelp: 'Determines your division.',
  emailOptional: 'Optional, because your team signs in with the ranking site.',
  rankingSite: 'Sign in with the ranking site',
  rankingIdentity: (name: string) =>
    `You are signed in to the ranking site as ${name}. Register here to take part.`,
  closed: 'Registration is closed.',
  haveTeam: 'Already registered?',
})

export type RegisterMessages = typeof registerMessages.english
