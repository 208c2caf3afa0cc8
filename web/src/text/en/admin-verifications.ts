import { catalogue } from '../catalogue.ts'

export const adminVerificationsMessages = catalogue('adminVerifications', {
  title: 'Verifications',
  about: 'Registrations whose email link has not been opened yet.',
  table: 'Pending registrations',
  none: 'No pending registrations.',
  search: 'Search teams and emails',
  noneFound: 'No registrations match your search.',
  age: 'Registered',
  expiry: 'Link expires',
  expired: 'expired',
  complete: 'Complete',
  completing: 'Completing registrations',
  resend: 'Resend email',
  copyEmails: 'Copy emails',
  copyOf: (email: string) => `Copy ${email}`,
  completed: (name: string) => `${name} is registered.`,
  failed: (name: string, why: string) => `${name}: ${why}`,
})

export type AdminVerificationsMessages = typeof adminVerificationsMessages.english
