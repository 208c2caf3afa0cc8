import type { AdminVerificationsWords } from '../en/admin-verifications.ts'

export const adminVerifications: AdminVerificationsWords = {
  title: 'Bestätigungen',
  about: 'Anmeldungen, deren Link in der E-Mail noch nicht geöffnet wurde.',
  table: 'Wartende Anmeldungen',
  none: 'Keine Anmeldung wartet auf ihre E-Mail.',
  name: 'Team',
  email: 'Adresse',
  division: 'Wertung',
  age: 'Angemeldet',
  expiry: 'Link läuft ab',
  expired: 'abgelaufen',
  actions: 'Aktionen',
  complete: 'Abschließen',
  completing: 'Anmeldungen werden abgeschlossen',
  resend: 'E-Mail erneut senden',
  copyEmails: 'Adressen kopieren',
  copyOf: (email) => `${email} kopieren`,
  completed: (name) => `${name} ist angemeldet.`,
  resent: (name) => `Die E-Mail an ${name} wurde erneut gesendet.`,
  failed: (name, why) => `${name}: ${why}`,
}
