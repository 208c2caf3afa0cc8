import type { PersonalDataCategory, ProcessingRecord } from '@pennant/contract/personal-data.ts'
import type { z } from 'zod'
import { catalogue } from '../catalogue.ts'

type ProcessingData = z.output<typeof ProcessingRecord>
export type Category = z.output<typeof PersonalDataCategory>
export type ReceiverKind = ProcessingData['receivers'][number]['kind']
export type Measure = ProcessingData['measures'][number]

export interface CategoryText {
  readonly title: string
  readonly data: string
  readonly purpose: string
  readonly seen: string
}

export const personalDataMessages = catalogue('personalData', {
  page: 'Personal data',
  settings: 'Erasure after the event',
  about:
    'After the time, the worker erases email and IP addresses, browsers, ended sessions, registrations and mails that wait. Names and results stay. It never begins before the end of the event.',
  warning:
    'Teams and people whose address is erased get no mailed links any more: they need a token, personal link, passkey or provider.',
  controller: 'Responsible, with address and contact',
  controllerHelp: 'Shown to all players on “Your data” and in the record.',
  when: 'When',
  whens: { never: 'Never', at: 'At a time', days: 'Days after the end' },
  at: 'Time',
  days: 'Days',
  messages: 'Erase private messages too',
  save: 'Save',
  saved: 'Saved.',
  badDays: 'Enter a whole number from 0 to 3650.',
  badTime: 'Enter a date and a time.',
  noDate: 'No time is set: addresses stay until teams and people delete them.',
  willErase: (time: string) => `Addresses are erased on ${time}.`,
  erasing: (time: string) => `The erasure began on ${time} and is not complete.`,
  erased: (time: string) => `The erasure of this time was complete on ${time}.`,
  preview: 'Rows that would be erased now',
  counts: 'Rows that were erased',
  table: 'Table',
  rows: 'Rows',
  nothing: 'There is nothing to erase.',
  record: 'Record of processing',
  recordAbout:
    'From the list that the program erases by, and from the configuration. Add what only you know: the legal basis, contracts with processors, and what happens outside Pennant.',
  print: 'Print',
  markdown: 'Save as Markdown',
  notNamed: 'Not named yet.',
  purpose: 'Purpose',
  data: 'Data',
  seen: 'Seen by',
  stored: 'Stored in',
  onDeletion: 'When a team or person is deleted',
  onTime: 'When the time has come',
  outcomes: { deleted: 'row deleted', erased: 'erased', kept: 'kept' },
  subjects: 'About whom',
  subject: { team: 'teams', person: 'people' },
  receivers: 'Receivers',
  noReceivers: 'None.',
  measures: 'Technical measures',
  categories: {
    account: {
      title: 'Accounts',
      data: 'Names, email addresses, profile, picture, membership, registrations',
      purpose: 'Take part in the event, sign in, show the standings',
      seen: 'Names and profile: as the visibility of the event says. Addresses: the team or person, and organisers who manage teams',
    },
    signIn: {
      title: 'Sign-in',
      data: 'Sessions with browser and IP address, accounts at providers, passkeys, API tokens',
      purpose: 'Sign in, and recognise and end sessions of others',
      seen: 'The team or person alone',
    },
    play: {
      title: 'Play',
      data: 'Submissions and solves with time, IP address and person, purchases of hints, instances, bot jobs, score adjustments',
      purpose: 'Compute the standings, keep the contest fair',
      seen: 'Solves: as the visibility of the event says. Submissions and IP addresses: organisers',
    },
    consent: {
      title: 'Accepted pages',
      data: 'Which version of which page was accepted, when and by whom',
      purpose: 'Prove that rules were accepted',
      seen: 'Organisers',
    },
    messages: {
      title: 'Private messages',
      data: 'Questions of teams and answers of organisers',
      purpose: 'Help during the event',
      seen: 'The team and organisers',
    },
    mail: {
      title: 'Mail',
      data: 'Mails that wait or failed, addresses that unsubscribed',
      purpose: 'Send sign-in links and news about the event',
      seen: 'The mail service; organisers see counts only',
    },
    actions: {
      title: 'Action log',
      data: 'Who of the organisers changed what, with IP address; names of changed teams and people',
      purpose: 'Trace changes, detect misuse',
      seen: 'Organisers with all permissions of the log',
    },
  } as Readonly<Record<Category, CategoryText>>,
  receiverKinds: {
    mail: 'Mail service: address and text of each mail',
    signIn: 'Sign-in provider: the account that signs in',
    files: 'File store: pictures and files',
    captcha: 'Captcha service: IP address and browser',
    analytics: 'Analytics: visits of pages',
    messages: 'Messenger: names of teams with first solves or questions',
    moderation: 'Moderation service: pictures of teams',
    ranking: 'Ranking site: the team account that signs in',
    scores: 'Score service: solves',
    backups: 'Store of backups: all data',
    sites: 'Site that signs in with this event: id and name of teams that agree',
  } as Readonly<Record<ReceiverKind, string>>,
  measureTexts: {
    https: 'Connections are encrypted (HTTPS).',
    database: 'The database is a separate server with its own access control.',
    localDatabase: 'The database is in the data folder of the server.',
    redis: 'Rate limits are kept in Redis for minutes.',
    backups: 'Backups are made on a schedule and the oldest are deleted.',
    encryptedBackups: 'Backups are encrypted.',
  } as Readonly<Record<Measure, string>>,
  always: [
    'Tokens are sealed or stored as hashes; passwords do not exist.',
    'Roles limit who of the organisers sees what.',
    'Every change by organisers is in a log that shows when it was altered.',
    'Rate limits protect sign-in against guessing.',
  ] as readonly string[],
})

export type PersonalDataMessages = typeof personalDataMessages.english
