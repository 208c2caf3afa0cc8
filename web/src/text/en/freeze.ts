import { catalogue } from '../catalogue.ts'

export const freezeMessages = catalogue('freeze', {
  soon: 'The scoreboard freezes in',
  since: (time: string) => `Scoreboard frozen since ${time}.`,
  others: 'Later solves show when the organisers publish the final results.',
  own: 'Your later solves are listed, but the score and ranks are those of the freeze.',
  liveNow: 'You see the live standings. Players see those of the freeze.',
  showLive: 'Show live standings',
  showFrozen: 'Show what players see',
  publish: 'Publish final results',
  publishTitle: 'Publish the final results?',
  publishText:
    'Everybody sees all solves, points and ranks at once. This cannot be undone, because players will have seen them.',
  publishNote: (since: string) =>
    `Players see the standings of ${since} until you publish the results, also after the end of the event.`,
  upcomingNote: (at: string) =>
    `From ${at} on, players see the standings of that time and their own later solves.`,
  published: 'The results are published. A new freeze time starts another freeze.',
})

export type FreezeMessages = typeof freezeMessages.english
