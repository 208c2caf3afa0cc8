export const register = {
  title: 'Register',
  submit: 'Register',
  emailHelp: 'The division of your team follows from it.',
  closed: 'Registration is closed.',
  haveTeam: 'Has your team registered already?',
  signIn: 'Sign in',
}

export type RegisterWords = typeof register
