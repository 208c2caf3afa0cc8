import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const replayMessages = catalogue('replay', {
  title: 'Replay',
  play: 'Play',
  pause: 'Pause',
  speed: 'Speed',
  speeds: { slow: 'Slow', normal: 'Normal', fast: 'Fast' },
  close: 'Back to the current scoreboard',
  asOf: (time: string, teams: string) => `${time}: ${counted(teams, 'ranked team', 'ranked teams')}`,
  nobody: 'Nobody had scored yet.',
  standings: 'Standings at this time',
  rank: (rank: string) => `Rank ${rank}`,
  points: (text: string) => counted(text, 'point', 'points'),
  previous: 'Previous teams',
  next: 'Next teams',
  range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
})

export type ReplayMessages = typeof replayMessages.english
