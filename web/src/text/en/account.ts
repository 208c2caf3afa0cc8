export const account = {
  name: 'Team name',
  nameHelp: '2 to 64 plain letters, digits and signs.',
  email: 'Email address',
  missing: 'This is needed.',
  noAnswer: 'Not sent, or the answer was lost. Look, then try again.',
  tooFast: 'Too often in a short time.',
  nextIn: (seconds: number) => `Again in ${seconds} s`,
  keepTitle: 'Keep your team token',
  keepText: 'It never expires and signs in as your team. Store it now: without it you may not get back in.',
  token: 'Team token',
  download: 'Download',
  stored: 'We have stored it',
  storeFirst: 'Store the token first.',
  goOn: 'Continue',
  inboxTitle: 'Check your inbox',
  inbox: (address: string) =>
    `A link went to ${address}. It is good for about an hour. Look among the spam too.`,
  signedIn: (name: string) => `You are signed in as ${name}.`,
  otherAddress: 'Use another address',
}

export type AccountWords = typeof account
