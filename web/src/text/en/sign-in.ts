export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  token: 'Team token',
  tokenHelp: 'A pasted sign-in link will do too.',
  reveal: 'Show the token',
  rankingSite: 'Sign in with the ranking site',
  lost: 'Lost it?',
  recover: 'Recover access',
  askOrganisers: 'Ask the organisers.',
  noTeam: 'No team yet?',
  register: 'Register',
}

export type SignInWords = typeof signIn
