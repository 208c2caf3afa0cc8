export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  token: 'Team token',
  tokenHelp: 'A pasted sign-in link will do too.',
  reveal: 'Show the token',
  lost: 'Lost it?',
  recover: 'Recover access',
  askOrganisers: 'Ask the organisers.',
  noTeam: 'No team yet?',
  register: 'Register',
  archived: 'This is an archive: nobody can sign in.',
}

export type SignInWords = typeof signIn
