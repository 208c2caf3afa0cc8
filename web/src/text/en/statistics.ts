import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const statisticsMessages = catalogue('statistics', {
  title: 'Statistics',
  closed: 'The statistics are not public.',
  closedUntil: 'They appear after the end of the event, if the organisers publish them.',
  nothingYet: 'There is nothing to count yet.',
  asOf: (from: string, until: string) => `${from} to ${until}`,
  isPublic: 'Everybody sees these figures, without wrong flags.',
  willBePublic: 'Everybody will see these figures after the end, without wrong flags.',
  isPrivate: 'Only organisers see this page.',
  publish: 'Show to everybody after the end',
  unpublish: 'Show to organisers only',
  csv: (table: string) => `${table}: download as CSV`,
  figures: 'Totals',
  active: 'Active teams',
  solvers: 'Teams with a solve',
  share: (percent: string) => `${percent} of all teams`,
  shareOfActive: (percent: string) => `${percent} of the active teams`,
  overTime: 'Activity over the event',
  overTimeLabel: (solves: string, submissions: string) =>
    `Submissions and solves over the event: ${counted(submissions, 'submission', 'submissions')}, ${counted(solves, 'solve', 'solves')}`,
  otherSubmissions: 'other submissions',
  solvesKey: 'solves',
  inPeriod: (submissions: string, solves: string) =>
    `${counted(submissions, 'submission', 'submissions')}, ${counted(solves, 'solve', 'solves')}`,
  from: 'From',
  expectation: 'Difficulty against expectation',
  expectationAbout:
    'Share of the active teams that solved each challenge. In each category, the challenges with more initial points are further right, so the bars should fall from left to right.',
  expectationLabel: (count: string) =>
    `Solve share of ${counted(count, 'challenge', 'challenges')}, by category and expected difficulty`,
  initialPoints: 'Initial points',
  solveShare: 'Solve share',
  shift: 'Ranks harder (+) or easier',
  harder: 'Harder than expected',
  easier: 'Easier than expected',
  shiftBy: (ranks: string, percent: string) => `${ranks} ranks, solved by ${percent}`,
  asExpected: 'Every challenge was about as hard as its points say.',
  firstSolves: 'Time to the first solve',
  firstSolvesLabel: (solved: string, all: string) =>
    `Time from the release to the first solve of ${solved} of ${counted(all, 'challenge', 'challenges')}, by category`,
  firstSolve: 'First solve after',
  firstTeam: 'First team',
  median: 'Half of the solves after',
  noSolve: 'unsolved',
  categories: 'Category balance',
  hours: 'By hour of the day',
  hoursLabel: (most: string) => `Submissions and solves by hour of the day. Most submissions: ${most}`,
  hour: 'Hour',
  countries: 'By country',
  country: 'Country',
  noCountry: 'not stated',
  divisions: 'By division',
  funnel: 'How far teams came',
  step: 'Step',
  steps: {
    registered: 'registered',
    active: 'submitted something',
    solvedOne: 'solved a challenge',
    solvedMany: 'solved at least 5',
    solvedHalf: 'solved at least half',
    solvedAll: 'solved all',
  },
  retention: 'Who comes back',
  retentionAbout: (count: string, hours: string) =>
    `${counted(count, 'team', 'teams')} submitted something in the first ${counted(hours, 'hour', 'hours')}. How many of them, and of the others, did in each later period:`,
  retentionLabel: (first: string, last: string) =>
    `Teams of the first hours that were active in each period: ${first} at the beginning, ${last} at the end`,
  returning: 'teams of the first hours',
  others: 'other teams',
  retained: (returning: string, others: string) =>
    `${counted(returning, 'team', 'teams')} of the first hours, ${counted(others, 'other', 'others')}`,
  wrongFlags: 'Common wrong flags',
  wrongFlagsAbout:
    'The wrong flag that most teams submitted for each challenge. The same text from many teams often shows a wrong flag or a misleading description.',
  wrongFlagsOf: (name: string) => `The most common wrong flags for ${name}`,
  wrongFlag: 'Wrong flag',
  hiddenFlag: 'right for another challenge or team',
  noWrongFlags: 'No wrong flag was submitted twice.',
  wrong: 'Wrong flags',
  previous: 'Previous',
  next: 'Next',
  page: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
})

export type StatisticsMessages = typeof statisticsMessages.english
