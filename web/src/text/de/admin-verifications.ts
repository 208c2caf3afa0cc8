import type { AdminVerificationsMessages } from '../en/admin-verifications.ts'

export const adminVerifications: AdminVerificationsMessages = {
  title: 'Bestätigungen',
  about: 'Registrierungen, deren Link in der E-Mail noch nicht geöffnet wurde.',
  table: 'Offene Registrierungen',
  none: 'Keine offenen Registrierungen.',
  search: 'Teams und E-Mails suchen',
  noneFound: 'Keine Registrierung passt zur Suche.',
  age: 'Registriert',
  expiry: 'Link läuft ab',
  expired: 'abgelaufen',
  complete: 'Abschließen',
  completing: 'Registrierungen werden abgeschlossen',
  resend: 'E-Mail erneut senden',
  copyEmails: 'E-Mails kopieren',
  copyOf: (email) => `${email} kopieren`,
  completed: (name) => `${name} ist registriert.`,
  failed: (name, why) => `${name}: ${why}`,
}
