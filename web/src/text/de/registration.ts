import type { RegistrationMessages } from '../en/registration.ts'

export const registration: RegistrationMessages = {
  title: 'Eure Registrierung',
  approvalTitle: 'Die Veranstalter prüfen eure Registrierung',
  placeTitle: 'Ihr seid auf der Warteliste',
  approval: (name) => `${name} nimmt teil, sobald die Veranstalter zugestimmt haben.`,
  place: (name) => `Alle Plätze sind vergeben. ${name} rückt nach, sobald ein Platz frei wird.`,
  position: (place) => `Eure Position: ${place}`,
  keep: 'Speichert den Link dieser Seite: Er zeigt die Entscheidung und meldet euch danach an.',
  keepMail: 'Ihr erfahrt die Entscheidung auch per E-Mail.',
  copy: 'Link kopieren',
  refusedTitle: 'Eure Registrierung wurde abgelehnt',
  refused: (name) => `Die Veranstalter haben die Registrierung von ${name} abgelehnt.`,
  reason: 'Grund',
  approvedTitle: 'Euer Team ist registriert',
  approved: (name) => `${name} nimmt teil. Meldet euch hier an; dieser Link gilt einmal.`,
  signIn: 'Anmelden',
  bad: 'Dieser Link ist ungültig oder wurde schon zum Anmelden benutzt.',
  none: 'Diese Seite braucht den Link, den ihr bei der Registrierung bekommen habt.',
}
