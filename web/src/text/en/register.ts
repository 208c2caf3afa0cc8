export const register = {
  title: 'Register',
  submit: 'Register',
  emailHelp: 'The division of your team follows from it.',
  emailOptional: 'It may stay empty: your team signs in with the ranking site.',
  rankingSite: 'Sign in with the ranking site',
  cameFrom: (name: string) => `The ranking site knows you as ${name}. Register here to take part.`,
  closed: 'Registration is closed.',
  haveTeam: 'Has your team registered already?',
  signIn: 'Sign in',
}

export type RegisterWords = typeof register
