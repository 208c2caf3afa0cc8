import { catalogue } from '../catalogue.ts'

export const replayMessages = catalogue('replay', {
  title: 'Replay',
  time: 'Time',
  play: 'Play',
  pause: 'Pause',
  speed: 'Speed',
  speeds: { slow: 'Slow', normal: 'Normal', fast: 'Fast' },
  close: 'Back to the current scoreboard',
  asOf: (time: string, teams: string) => `${time}: ${teams} ranked teams`,
  nobody: 'Nobody had scored yet.',
  standings: 'Standings at this time',
  rank: (rank: string) => `Rank ${rank}`,
  solves: (count: number, text: string) => (count === 1 ? '1 solve' : `${text} solves`),
  points: (text: string) => `${text} points`,
  previous: 'Previous teams',
  next: 'Next teams',
  range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
})

export type ReplayMessages = typeof replayMessages.english
