export const recover = {
  title: 'Recover access',
  text: 'We send a sign-in link to the address of your team.',
  submit: 'Send the link',
  off: 'No mail is sent from this event. Ask the organisers for a token.',
  sentTitle: 'Check your inbox',
  sent: (address: string) => `If a team has the address ${address}, a sign-in link went there.`,
}

export type RecoverWords = typeof recover
