import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const liveMessages = catalogue('live', {
  title: 'Big screen',
  leaderboard: 'Scoreboard',
  bloods: 'First bloods',
  activity: 'Latest solves',
  countdown: 'Countdown',
  wave: 'Next challenges',
  announcements: 'Announcements',
  facts: (teams: string, solves: string) =>
    `${counted(teams, 'team', 'teams')}, ${counted(solves, 'solve', 'solves')}`,
  bloodAgo: (ago: string) => `First blood, ${ago}`,
  notYet: 'The scoreboard opens when the event starts.',
  offline: 'The server does not respond. This is the last known state.',
  wrongAddress: 'This URL is invalid',
  wrongAddressHelp: 'Change the address, or compose a new one on the organisers’ dashboard.',
  problem: {
    panels:
      'panels must be one or more of leaderboard, bloods, activity, countdown, announcements and wave, separated by commas.',
    rows: 'rows must be a whole number from 1 to 25.',
    division: 'division must be the id of a division of this event.',
    theme: 'theme must be dark, light or auto.',
    scale: 'scale must be a number from 0.5 to 3 with at most two decimals.',
    title: 'title must have at most 80 characters.',
    background: 'background must be solid or transparent.',
    moments: 'moments must be on or off.',
    unknown:
      'There is no such parameter. The parameters are panels, rows, division, theme, scale, title, background and moments.',
    repeated: 'This parameter must be given once.',
  },
  composeTitle: 'Big screen',
  composeHelp:
    'A page for a projector or a streaming overlay. It needs no sign-in and shows what every visitor may see.',
  panels: 'Panels',
  allDivisions: 'All divisions',
  themes: { auto: 'System default', dark: 'Dark', light: 'Light' },
  scale: 'Size',
  heading: 'Heading',
  headingHelp: 'Empty: the name of the event.',
  noHeading: 'No heading',
  transparent: 'Transparent background, for an overlay',
  moments: 'Show each first blood large for some seconds',
  address: 'Address',
  copy: 'Copy address',
  open: 'Open',
  onePanel: 'Choose at least one panel.',
})

export type LiveMessages = typeof liveMessages.english
