import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const adminWavesMessages = catalogue('adminWaves', {
  page: 'Waves',
  none: 'No waves yet.',
  new: 'New wave',
  create: 'Create wave',
  nameHelp: 'Players see it in the countdown and in the announcement.',
  openAt: 'Opens at',
  openAtHelp: 'Leave empty to schedule it later. Until then its challenges are not released.',
  opens: 'Opens',
  notScheduled: 'not scheduled',
  isOpen: 'open',
  countdown: 'Show a countdown and the number of challenges to players',
  announce: 'Announce it when it opens',
  forward: 'Also send the announcement to the configured messengers',
  announcement: 'Text of the announcement',
  title: 'Title',
  templateHelp:
    'Empty: the usual text. {wave} is the name, {challenges} the list of challenges, {categories} their categories, {count} their number.',
  noChallenges: 'There are no challenges yet.',
  inOther: (name: string) => `in ${name}`,
  count: (count: number) => (count === 1 ? '1 challenge' : `${count} challenges`),
  players: 'Players',
  withCountdown: 'countdown',
  withAnnouncement: 'announcement',
  announced: 'announced',
  saved: (name: string) => `Saved ${name}.`,
  editOf: (name: string) => `Edit ${name}`,
  move: 'Move',
  moveOf: (name: string) => `Move ${name}`,
  minutes: 'Minutes',
  minutesHelp: 'Negative: earlier.',
  later: (minutes: number) => `${minutes} min later`,
  earlier: (minutes: number) => `${minutes} min earlier`,
  preview: (from: string, to: string) => `From ${from} to ${to}.`,
  opensNow: 'That time has passed: the challenges are released immediately.',
  moved: (name: string, when: string) => `${name} now opens ${when}.`,
  force: 'Change it although players see some of these challenges already',
  deleteOf: (name: string) => `Delete ${name}`,
  deleteAbout: 'Its challenges keep their release time. Without a time, they become hidden.',
  check: {
    action: 'Check',
    of: (name: string) => `Check of ${name}`,
    about:
      'Files are read, flags tried, an instance of each challenge is started and stopped, and the admin bot visits. No player notices.',
    run: 'Check now',
    runAgain: 'Check again',
    close: 'Close',
    running: 'The check is running.',
    tooOften: (seconds: number) => `Too many checks. Try again in ${seconds} s.`,
    busy: 'Another wave is being checked. Wait until that is finished.',
    never: 'Nothing has been checked yet.',
    progress: (done: number, total: number) =>
      `Checking: ${done} of ${counted(total, 'challenge', 'challenges')} done.`,
    interrupted: (ago: string) => `The check that began ${ago} was interrupted. Start it again.`,
    finished: (ago: string) => `Checked ${ago}.`,
    attention: (count: number) =>
      count === 0
        ? 'No challenge needs attention.'
        : count === 1
          ? '1 challenge needs attention.'
          : `${count} challenges need attention.`,
    notChecked: 'Not checked.',
    passed: (passed: number, total: number) => `${passed} of ${total} checks passed.`,
    outdated: 'The challenge changed since: check again.',
  },
  errors: {
    missing: 'This field is required.',
    badWave: 'This wave was deleted in the meantime.',
    badWaveName: 'Another wave has this name.',
    badWaveVersion: 'Someone else has edited this wave in the meantime. The list shows the new values.',
    badWaveCount: 'There are too many waves. Delete old ones first.',
    badWaveUnscheduled: 'This wave has no time. Set one first.',
    badWaveReleased: 'Players see some of these challenges already. Confirm the change.',
  },
})

export type AdminWavesMessages = typeof adminWavesMessages.english
