import { catalogue } from '../catalogue.ts'

export const registrationMessages = catalogue('registration', {
  title: 'Your registration',
  approvalTitle: 'The organisers check your registration',
  placeTitle: 'You are on the waiting list',
  approval: (name: string) => `${name} takes part as soon as the organisers have approved it.`,
  place: (name: string) => `All places are taken. ${name} moves up when a place becomes free.`,
  position: (place: string) => `Your position: ${place}`,
  keep: 'Save the link of this page: it shows the decision, and it signs you in after that.',
  keepMail: 'We also send the decision by email.',
  copy: 'Copy link',
  refusedTitle: 'Your registration was refused',
  refused: (name: string) => `The organisers refused the registration of ${name}.`,
  reason: 'Reason',
  approvedTitle: 'Your team is registered',
  approved: (name: string) => `${name} takes part. Sign in here; this link works once.`,
  signIn: 'Sign in',
  bad: 'This link is invalid, or it was already used to sign in.',
  none: 'This page needs the link that you got when you registered.',
})

export type RegistrationMessages = typeof registrationMessages.english
