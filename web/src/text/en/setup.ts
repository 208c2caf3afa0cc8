import { catalogue } from '../catalogue.ts'

export const setupMessages = catalogue('setup', {
  title: 'You are the administrator',
  lead: (done: number, all: number) => `${done} of ${all} steps to an event that players can join.`,
  complete: 'The event is set up. Players can join when it starts.',
  done: 'done',
  steps: {
    about: 'Name and description',
    times: 'Start and end',
    challenge: 'First challenge',
    registration: 'Open registration',
  },
  required: 'Required.',
  name: 'Event name',
  description: 'Description',
  start: 'Start',
  end: 'End',
  startInPast: 'Choose a time in the future. To open the event now, use the event settings.',
  endBeforeStart: 'The end must be after the start.',
  inSettings: 'More in the event settings',
  challengeName: 'Name',
  flag: 'Flag',
  publish: 'Publish challenge',
  inEditor: 'Create it in the editor instead',
  registrationClosed:
    'Registration is closed. Set `registrationsEnabled: true` in the server configuration and restart.',
})

export type SetupMessages = typeof setupMessages.english
