export const adminVerifications = {
  title: 'Verifications',
  about: 'Registrations that wait for the link in their mail to be opened.',
  table: 'Waiting registrations',
  none: 'No registration waits for its mail.',
  name: 'Team',
  email: 'Address',
  division: 'Division',
  age: 'Registered',
  expiry: 'Link expires',
  expired: 'expired',
  actions: 'Actions',
  complete: 'Complete',
  completing: 'Completing registrations',
  resend: 'Resend mail',
  copyEmails: 'Copy addresses',
  copyOf: (email: string) => `Copy ${email}`,
  completed: (name: string) => `${name} is registered.`,
  resent: (name: string) => `The mail to ${name} was sent again.`,
  failed: (name: string, why: string) => `${name}: ${why}`,
}

export type AdminVerificationsWords = typeof adminVerifications
