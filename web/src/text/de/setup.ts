import type { SetupMessages } from '../en/setup.ts'

export const setup: SetupMessages = {
  title: 'Ihr seid Administrator',
  lead: (done, all) => `${done} von ${all} Schritten zu einem Wettbewerb, an dem Teams teilnehmen können.`,
  complete: 'Der Wettbewerb ist eingerichtet. Teams können teilnehmen, sobald er beginnt.',
  done: 'erledigt',
  steps: {
    about: 'Name und Beschreibung',
    times: 'Beginn und Ende',
    challenge: 'Erste Aufgabe',
    registration: 'Registrierung öffnen',
  },
  required: 'Erforderlich.',
  name: 'Name des Wettbewerbs',
  description: 'Beschreibung',
  start: 'Beginn',
  end: 'Ende',
  startInPast: 'Wählt einen Zeitpunkt in der Zukunft. Sofort öffnen könnt ihr in den Einstellungen.',
  endBeforeStart: 'Das Ende muss nach dem Beginn liegen.',
  inSettings: 'Mehr in den Einstellungen',
  challengeName: 'Name',
  flag: 'Flag',
  publish: 'Aufgabe veröffentlichen',
  inEditor: 'Stattdessen im Editor anlegen',
  registrationClosed:
    'Die Registrierung ist geschlossen. Setzt `registrationsEnabled: true` in der Serverkonfiguration und startet neu.',
}
