import { catalogue } from '../catalogue.ts'

export const recoverMessages = catalogue('recover', {
  title: 'Recover access',
  text: "We will send a sign-in link to your team's email address.",
  submit: 'Send link',
  emailDisabled: 'This event does not send email. Ask the organisers for a token.',
  sent: (address: string) => `If a team is registered with ${address}, we sent a sign-in link there.`,
})

export type RecoverMessages = typeof recoverMessages.english
