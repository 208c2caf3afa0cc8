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

export const adminSettings = {
  title: 'Event settings',
  groups: 'Groups',
  event: 'Event',
  times: 'Times',
  look: 'Look',
  home: 'Home',
  sponsors: 'Sponsors',
  sharing: 'Sharing',
  names: {
    ctfName: 'Name',
    startTime: 'Start',
    endTime: 'End',
    logoDarkUrl: 'Logo for the dark theme',
    logoLightUrl: 'Logo for the light theme',
    faviconUrl: 'Icon in the tab',
    homeContent: 'Text of the home page',
    sponsors: 'Sponsors',
    description: 'Description',
    imageUrl: 'Picture',
  },
  default: 'default',
  overridden: 'overridden',
  defaultIs: 'Default:',
  reset: 'Use default',
  resetOf: (name: string) => `Use default: ${name}`,
  none: 'none',
  empty: 'empty',
  lasts: ({ days, hours, minutes }: DurationParts) =>
    `Lasts ${[days && `${days} d`, hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(' ')}.`,
  whenSaved: 'As soon as it is saved:',
  opens: (challenges: Counted | null) =>
    challenges === null ? 'opens all public challenges now.' : `opens ${challengesOf(challenges)} now.`,
  closes: (challenges: Counted | null, start: string) =>
    `closes ${challenges === null ? 'all challenges' : challengesOf(challenges)} to teams until ${start}.`,
  goesOn: (end: string) => `the event goes on, and flags are taken until ${end}.`,
  isOver: (teams: Counted | null) =>
    teams === null
      ? 'the event is over for all teams.'
      : `the event is over for ${teams.text} ${teams.count === 1 ? 'team' : 'teams'}.`,
  crossTitle: { OPEN: 'Open the event now?', CLOSE: 'Close the event now?' },
  crossDeed: { OPEN: 'Open now', CLOSE: 'Close now' },
  pictureHelp: 'An https address, or a path of this site.',
  logoHelp: 'Where only one logo is given, it stands on both themes.',
  faviconHelp: 'Best a square of 32 pixels or more, or an SVG.',
  upload: 'Upload a picture',
  uploadOf: (name: string) => `Upload a picture: ${name}`,
  largePicture: (name: string) => `${name} is larger than 1 MB: every visitor would load it.`,
  unreadable: 'The file could not be read.',
  onTheme: { dark: 'On the dark theme', light: 'On the light theme' },
  logo: 'Logo',
  favicon: 'Icon',
  icon: 'Icon',
  noPicture: (name: string) => `${name}: none.`,
  badPicture: (name: string) => `${name}: browsers will not show this address.`,
  brokenPicture: (name: string) => `${name}: the picture does not load.`,
  descriptionHelp: 'Stands under the name on the home page, and where the address is shared.',
  imageHelp: 'Shown where the address is shared.',
  preview: 'Preview',
  sponsor: (place: number) => `Sponsor ${place}`,
  sponsorFields: { name: 'Name', icon: 'Icon address', description: 'Description', url: 'Link' },
  addSponsor: 'Add sponsor',
  tooManySponsors: 'There are as many as can be.',
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  isFirst: 'It is the first.',
  isLast: 'It is the last.',
  movedTo: (name: string, place: number, total: number) => `${name} is now ${place} of ${total}.`,
  removeSponsor: (name: string) => `Remove ${name}`,
  changes: 'Changes',
  fromTo: (from: string, to: string, isReset: boolean) =>
    isReset ? `${from} → ${to} (default)` : `${from} → ${to}`,
  save: (count: number) => (count === 1 ? 'Save 1 change' : `Save ${count} changes`),
  saved: 'Saved.',
  discard: 'Discard',
  faults: {
    missing: 'This is needed.',
    tooLong: 'At most 200,000 characters.',
    order: 'The end must come after the start.',
    address: 'An address begins with http:// or https://.',
  },
}

export type AdminSettingsWords = typeof adminSettings

function challengesOf({ count, text }: Counted): string {
  return `${text} ${count === 1 ? 'challenge' : 'challenges'}`
}
