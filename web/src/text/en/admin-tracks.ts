import { catalogue } from '../catalogue.ts'

export const adminTracksMessages = catalogue('adminTracks', {
  tracks: 'Tracks for humans and agents',
  about:
    'From the strictest to the most permissive. Teams that declare nothing are in the first. Without tracks, nothing of this is shown.',
  track: 'Track',
  moved: 'Team moved',
  reason: 'Reason',
  reasonHelp: 'For the action log.',
  needsReason: 'Enter a reason.',
  move: 'Move team',
  add: { human: 'Add humans', assisted: 'Add assisted', agent: 'Add autonomous agents' },
  presets: {
    human: {
      label: 'Humans',
      policy: 'No AI that solves challenges. Search engines and code completion are fine.',
    },
    assisted: { label: 'Assisted', policy: 'People play, and may ask AI for help.' },
    agent: { label: 'Autonomous agents', policy: 'AI plays on its own. Name its operator and its model.' },
  },
  label: 'Name',
  policy: 'Policy for players',
  switches: {
    mayRegister: 'Teams may declare it',
    isRanked: 'In the main standings',
    affectsPoints: 'Its solves lower the points of challenges',
    takesBloods: 'Takes first bloods',
    getsPrizes: 'Eligible for prizes',
    namesAgent: 'Teams name operator and model',
  },
  lock: 'Locked from',
  lockHelp: 'From then on, teams only move to a more permissive track. Empty: the start of the event.',
  full: 'There are as many tracks as possible.',
  none: 'none',
})

export type AdminTracksMessages = typeof adminTracksMessages.english
