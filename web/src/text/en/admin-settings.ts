import { catalogue } from '../catalogue.ts'

export interface DurationParts {
  readonly days: number
  readonly hours: number
  readonly minutes: number
}

/** A number, and how it is written. */
export interface Counted {
  readonly count: number
  readonly text: string
}

export const adminSettingsMessages = catalogue('adminSettings', {
  title: 'Event settings',
  groups: 'Sections',
  event: 'Event',
  times: 'Times',
  look: 'Appearance',
  home: 'Home',
  sponsors: 'Sponsors',
  sharing: 'Sharing',
  registration: 'Registration',
  registrationModes: {
    open: 'Everyone',
    code: 'With a code',
    approval: 'After approval',
    closed: 'No one',
  },
  maxTeamsHelp: 'Empty: no maximum.',
  toRegistration: 'Waiting registrations and codes',
  import: 'Import a contest',
  openImport: 'Import from CTFd or rCTF',
  names: {
    ctfName: 'Name',
    startTime: 'Start',
    endTime: 'End',
    freezeTime: 'Freeze of the scoreboard',
    logoDarkUrl: 'Logo for the dark theme',
    logoLightUrl: 'Logo for the light theme',
    externalPictures: 'Show pictures of other sites in texts',
    tracks: 'Tracks',
    tracksLockAt: 'Lock of the tracks',
    registrationMode: 'Who can register',
    registrationOpensAt: 'Opens',
    registrationClosesAt: 'Closes',
    maxTeams: 'Maximum of teams',
    waitingList: 'Waiting list for teams beyond the maximum',
    visibility: 'Visibility',
    faviconUrl: 'Favicon',
    homeContent: 'Home page content',
    sponsors: 'Sponsors',
    description: 'Description',
    imageUrl: 'Image',
  },
  default: 'default',
  overridden: 'customised',
  defaultIs: 'Default:',
  reset: 'Use default',
  resetOf: (name: string) => `Use default: ${name}`,
  incomplete: 'incomplete',
  empty: 'empty',
  lasts: ({ days, hours, minutes }: DurationParts) =>
    `Lasts ${[days && `${days} d`, hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(' ')}.`,
  onSave: 'When you save:',
  opens: (challenges: Counted | null) =>
    challenges === null
      ? 'Opens all visible challenges.'
      : challenges.count === 0
        ? 'Starts the event. No challenge is visible yet.'
        : `Opens ${challengesOf(challenges)}.`,
  closes: (challenges: Counted | null, start: string | null) =>
    `Hides ${challenges?.count ? challengesOf(challenges) : 'all challenges'} until ${start ?? 'a start is set'}.`,
  continues: (end: string) => `The event continues. Flags are accepted until ${end}.`,
  ends: (teams: Counted | null) =>
    teams === null
      ? 'The event ends for all teams.'
      : `The event ends for ${teams.text} ${teams.count === 1 ? 'team' : 'teams'}.`,
  confirmTitle: { OPEN: 'Open the event now?', CLOSE: 'Close the event now?' },
  phaseChangeLabel: { OPEN: 'Open now', CLOSE: 'Close now' },
  pictureHelp: 'An https URL or a path on this site.',
  logoHelp: 'If you set only one logo, both themes use it.',
  externalPicturesHelp:
    'Off: texts show uploaded pictures, and a link to others, because those tell their site the address of each reader.',
  on: 'on',
  off: 'off',
  faviconHelp: 'A square image of at least 32 pixels, or an SVG.',
  upload: 'Upload image',
  uploadOf: (name: string) => `Upload image: ${name}`,
  largePicture: (name: string) => `${name} is larger than 1 MB, and every visitor downloads it.`,
  unreadable: 'The file could not be read.',
  onTheme: { dark: 'On the dark theme', light: 'On the light theme' },
  logo: 'Logo',
  favicon: 'Favicon',
  icon: 'Icon',
  noPicture: (name: string) => `${name}: none.`,
  badPicture: (name: string) => `${name}: browsers will not load this URL.`,
  blockedPicture: (name: string, host: string) =>
    `${name}: a picture on ${host}. Save it and reload the page to see it.`,
  brokenPicture: (name: string) => `${name}: the image does not load.`,
  descriptionHelp: 'Shown on the home page and in link previews.',
  imageHelp: 'Shown in link previews.',
  sponsor: (place: number) => `Sponsor ${place}`,
  sponsorFields: { name: 'Name', icon: 'Icon URL', description: 'Description', url: 'Link' },
  addSponsor: 'Add sponsor',
  tooManySponsors: 'You have reached the maximum number of sponsors.',
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  isFirst: 'Already first.',
  isLast: 'Already last.',
  movedTo: (name: string, place: number, total: number) => `${name} is now ${place} of ${total}.`,
  changes: 'Changes',
  fromTo: (from: string, to: string, isReset: boolean) =>
    isReset ? `${from} → ${to} (default)` : `${from} → ${to}`,
  discard: 'Discard',
  errors: {
    missing: 'This field is required.',
    tooLong: 'At most 200,000 characters.',
    number: 'Enter a whole number from 1 on.',
    registrationOrder: 'Registration must close after it opens.',
    order: 'The end must be after the start.',
    freezeOrder: 'The freeze must be after the start.',
    address: 'Enter a URL that starts with http:// or https://.',
  },
})

export type AdminSettingsMessages = typeof adminSettingsMessages.english

function challengesOf({ count, text }: Counted): string {
  return `${text} ${count === 1 ? 'challenge' : 'challenges'}`
}
