import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

/** Instances of challenges, and the admin bot. */
export const livePartsMessages = catalogue('liveParts', {
  instance: 'Your instance',
  stopped: (minutes: string) => `Not running. It stops ${minutes} min after it starts.`,
  starting: 'Starting…',
  slowStart: 'Taking longer than usual…',
  running: 'Running',
  stopping: 'Stopping…',
  errored: 'The instance failed. Stop it, then start it again.',
  crashing: (restarts: string) =>
    `The instance keeps crashing: restarted ${counted(restarts, 'time', 'times')}. Please tell the organisers.`,
  waitingStart: (place: string) => `Waiting for other starts: position ${place} in the queue.`,
  start: 'Start',
  startingFor: (seconds: string) => `${seconds} s so far`,
  otherFormats: 'Other formats',
  copyForm: { pwntools: 'Copy for pwntools', openssl: 'Copy for openssl' },
  notCopied: (form: string) => `Could not copy. Copy it manually: ${form}`,
  extendTo: (minutes: string) => `Extend to ${minutes} min`,
  expires: (name: string, minutes: number) => `Your instance of ${name} stops in ${minutes} min.`,
  stop: 'Stop',
  timeLeft: 'Time left',
  unavailable: 'not available here',
  bot: 'Admin bot',
  pattern: (pattern: string) => `Pattern: ${pattern}`,
  mismatch: 'This does not match the required pattern.',
  send: 'Send to bot',
  queued: (place: string) => `queued · ${place} in line`,
  runningFor: (seconds: string) => `running · ${seconds} s`,
  byTeam: '(sent by your team)',
  oneAtATime: 'One visit at a time.',
  nextTry: (seconds: string) => `Try again in ${seconds} s`,
  extend: 'Extend',
  logsFailed: 'The log could not be loaded.',
  visiting: 'The bot is visiting…',
  history: 'Previous visits',
  completed: 'completed',
  failed: 'failed',
  logs: 'Logs',
  noLogs: 'No log available.',
  signIn: 'Sign in to use this',
  banned: 'Your team is banned.',
})

export type LivePartsMessages = typeof livePartsMessages.english
