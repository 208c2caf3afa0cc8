import { catalogue } from '../catalogue.ts'

export const signInMessages = catalogue('signIn', {
  title: 'Sign in',
  tokenHelp: 'You can also paste a sign-in link.',
  reveal: 'Show token',
  rankingSite: 'Sign in with the ranking site',
  lost: 'Lost it?',
  recover: 'Recover access',
  askOrganisers: 'Ask the organisers.',
  noTeam: 'No team yet?',
})

export type SignInMessages = typeof signInMessages.english
