import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const ceremonyMessages = catalogue('ceremony', {
  title: 'Ceremony',
  wrongAddress: 'This URL is invalid',
  problem: {
    time: 'from and until must be times in Unix milliseconds, and from must be earlier.',
    limit: 'limit must be a whole number from 1 to 100.',
    pace: 'pace must be a number of seconds from 0.3 to 30.',
    division: 'division must be the id of a division of this event.',
    unknown: 'There is no such parameter. The parameters are from, until, limit, division and pace.',
  },
  start: (time: string) => `The standings at ${time}`,
  rest: (count: string, rank: string) =>
    `${counted(count, 'more team is', 'more teams are')} below rank ${rank}`,
  values: 'Challenges are now worth what they were worth at the end',
  solve: (team: string, challenge: string, points: string) =>
    `${team} solved ${challenge}: ${counted(points, 'point', 'points')}`,
  other: (team: string, points: string) =>
    `${team}: ${counted(points, 'point', 'points')} from live scores and adjustments`,
  settle: (rank: string, team: string, score: string) =>
    `Rank ${rank}: ${team}, ${counted(score, 'point', 'points')}`,
  podium: (team: string) => `${team} won`,
  standings: 'Standings',
  final: 'final',
  solves: (count: number) => (count === 1 ? '1 solve to reveal' : `${count} solves to reveal`),
  next: 'Next',
  back: 'Back',
  play: 'Play',
  pause: 'Pause',
  pace: 'Seconds per step',
  faster: 'Faster',
  slower: 'Slower',
  fullScreen: 'Full screen',
  stepOf: (step: string, total: string) => `Step ${step} of ${total}`,
  keys: 'Space, arrows and page keys move, P plays, plus and minus change the pace, Home and End jump, F is full screen, H hides this bar.',
  nobody: 'Nobody is ranked yet.',
})

export type CeremonyMessages = typeof ceremonyMessages.english
