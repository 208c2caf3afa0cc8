import type { PublicDemoMessages } from '../en/public-demo.ts'

export const publicDemo: PublicDemoMessages = {
  about: (time) => `Öffentliche Demo: beginnt um ${time} von vorn. Alle sehen, was ihr tut.`,
  resetting: 'Öffentliche Demo: beginnt von vorn …',
  player: 'Als Team anmelden',
  organiser: 'Als Veranstalter anmelden',
  failed: 'Die Anmeldung ist fehlgeschlagen. Versucht es gleich noch einmal.',
}
