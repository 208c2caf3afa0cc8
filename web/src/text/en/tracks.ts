import { catalogue } from '../catalogue.ts'

export const tracksMessages = catalogue('tracks', {
  title: 'AI and this event',
  about: 'Each team is in one track. It says how the team plays, and what its solves count for.',
  none: 'This event has no tracks: its rules say whether AI may be used.',
  first: 'Teams that declare nothing are in this track.',
  track: 'Track',
  allTracks: 'Main standings',
  everyTrack: 'All tracks',
  without: (track: string) => `Without ${track}`,
  trackOf: (track: string) => `Track: ${track}`,
  trackPlace: (place: string, track: string) => `Rank ${place} in ${track}`,
  agentOf: (operator: string, model: string) => `Operated by ${operator}, model: ${model}`,
  assisted: 'With help of an agent',
  facts: {
    isRanked: { yes: 'In the main standings.', no: 'Not in the main standings. It has its own.' },
    affectsPoints: {
      yes: 'Its solves lower the points of challenges.',
      no: 'Its solves do not change the points of challenges.',
    },
    takesBloods: { yes: 'Takes first bloods.', no: 'Takes no first bloods from other tracks.' },
    getsPrizes: { yes: 'Eligible for prizes.', no: 'Not eligible for prizes.' },
    mayRegister: { yes: '', no: 'Only organisers put teams into it.' },
    namesAgent: { yes: 'Its teams name the operator and the model of their agent.', no: '' },
  },
  free: (at: string) => `Until ${at} your team can choose any track. After that, only a more permissive one.`,
  locked: 'Your team can still move to a more permissive track, which cannot be undone.',
  noChoice: 'No other track is open to your team. Ask the organisers.',
  ofTeam: 'Your team',
  ranked: (place: string, teams: string) => `Rank ${place} of ${teams} in this track.`,
  operator: 'Operator of the agent',
  operatorHelp: 'Who runs it. Everyone sees it in your profile.',
  model: 'Model',
  declare: 'Declare this track',
  declared: 'Track declared.',
  solves: 'Solves with the help of an agent',
  solvesAbout: 'Mark each solve in which an agent helped your team. The mark is shown beside the solve.',
  failures: {
    badTrack: 'This track is not open to your team any more. Reload the page.',
    badTrackAgent: 'Enter the operator and the model of your agent.',
  },
})

export type TracksMessages = typeof tracksMessages.english
