import type { ConsentWords } from '../en/consent.ts'

export const consent: ConsentWords = {
  title: (client) => `Weiter zu ${client}`,
  waitingTitle: 'Weiter',
  refusedTitle: 'Diese Anmeldeanfrage ist ungültig',
  asks: (client) => `${client} fragt, wer ihr seid.`,
  at: 'Es geht weiter zu',
  as: 'als das Team',
  gets: (client) =>
    `${client} bekommt vollen Zugang als euer Team, wie mit eurem Team-Token: Es kann lesen und ändern, was ihr könnt, und das lässt sich nicht zurücknehmen. Geht nur weiter, wenn ihr dem vertraut.`,
  goOn: 'Weiter',
  cancel: 'Abbrechen',
  banned: 'Euer Team ist gesperrt: Es kann sich nirgends sonst anmelden.',
  home: 'Zur Startseite',
}
