import { catalogue } from '../catalogue.ts'

/** Parts of the event that are not open to everyone. */
export const closedMessages = catalogue('closed', {
  closed: {
    home: 'Only organisers see the home page.',
    challenges: 'Challenges are closed',
    scoreboard: 'The scoreboard is closed',
    profiles: 'Team profiles are closed',
    statistics: 'Statistics are closed',
  },
  signIn: {
    home: 'This event is for participants.',
    challenges: 'Challenges are for participants',
    scoreboard: 'The scoreboard is for participants',
    profiles: 'Team profiles are for participants',
    statistics: 'Statistics are for participants',
  },
  askOrganisers: 'Only organisers can see this. If you think that you should, ask them.',
  signInText: 'Sign in with your team to see this.',
  part: {
    home: 'Home page',
    challenges: 'Challenges',
    scoreboard: 'Scoreboard',
    profiles: 'Team profiles',
    statistics: 'Statistics',
  },
  partHelp: {
    home: 'Its text, the sponsors, and the description in link previews. Names and times of the event stay visible.',
    challenges: 'Texts, hints, files, instances and the flag field.',
    scoreboard: 'Ranks, graphs, solves and first bloods, on all pages.',
    profiles: 'Pages, pictures, countries and status texts of teams.',
    statistics: 'The statistics after the end, if they are published.',
  },
  level: {
    everyone: 'Everyone',
    signedIn: 'Teams that are signed in',
    division: 'Teams, only their own division',
    organisers: 'Only organisers',
  },
})

export type ClosedMessages = typeof closedMessages.english
