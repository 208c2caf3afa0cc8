import type { AdminSettingsMessages, Counted } from '../en/admin-settings.ts'

export const adminSettings: AdminSettingsMessages = {
  title: 'Wettbewerbseinstellungen',
  groups: 'Abschnitte',
  event: 'Wettbewerb',
  times: 'Zeiten',
  look: 'Aussehen',
  home: 'Startseite',
  sponsors: 'Sponsoren',
  registration: 'Registrierung',
  registrationModes: {
    open: 'Alle',
    code: 'Mit Code',
    approval: 'Nach Freigabe',
    closed: 'Niemand',
  },
  maxTeamsHelp: 'Leer: keine Höchstzahl.',
  toRegistration: 'Wartende Registrierungen und Codes',
  import: 'Wettkampf importieren',
  openImport: 'Aus CTFd oder rCTF importieren',
  sharing: 'Teilen',
  names: {
    ctfName: 'Name',
    startTime: 'Beginn',
    endTime: 'Ende',
    freezeTime: 'Einfrieren der Rangliste',
    logoDarkUrl: 'Logo für das dunkle Design',
    logoLightUrl: 'Logo für das helle Design',
    tracks: 'Wertungen',
    tracksLockAt: 'Sperre der Wertungen',
    registrationMode: 'Wer sich registrieren kann',
    registrationOpensAt: 'Öffnet',
    registrationClosesAt: 'Schließt',
    maxTeams: 'Höchstzahl der Teams',
    waitingList: 'Warteliste für weitere Teams',
    visibility: 'Sichtbarkeit',
    externalPictures: 'Bilder anderer Websites in Texten zeigen',
    faviconUrl: 'Favicon',
    homeContent: 'Inhalt der Startseite',
    sponsors: 'Sponsoren',
    description: 'Beschreibung',
    imageUrl: 'Bild',
  },
  default: 'Standard',
  overridden: 'angepasst',
  defaultIs: 'Standard:',
  reset: 'Standard verwenden',
  resetOf: (name) => `Standard verwenden: ${name}`,
  incomplete: 'unvollständig',
  empty: 'leer',
  lasts: ({ days, hours, minutes }) =>
    `Dauert ${[days && `${days} Tg.`, hours && `${hours} Std.`, minutes && `${minutes} Min.`].filter(Boolean).join(' ')}.`,
  onSave: 'Beim Speichern:',
  opens: (challenges) =>
    challenges === null
      ? 'Öffnet alle sichtbaren Aufgaben.'
      : challenges.count === 0
        ? 'Startet den Wettbewerb. Noch ist keine Aufgabe sichtbar.'
        : `Öffnet ${challengesOf(challenges)}.`,
  closes: (challenges, start) =>
    `Verbirgt ${challenges?.count ? challengesOf(challenges) : 'alle Aufgaben'} bis ${start ?? 'ein Beginn festgelegt ist'}.`,
  continues: (end) => `Der Wettbewerb geht weiter. Flags werden bis ${end} angenommen.`,
  ends: (teams) =>
    teams === null
      ? 'Der Wettbewerb endet für alle Teams.'
      : `Der Wettbewerb endet für ${teams.text} ${teams.count === 1 ? 'Team' : 'Teams'}.`,
  confirmTitle: { OPEN: 'Den Wettbewerb jetzt öffnen?', CLOSE: 'Den Wettbewerb jetzt schließen?' },
  phaseChangeLabel: { OPEN: 'Jetzt öffnen', CLOSE: 'Jetzt schließen' },
  pictureHelp: 'Eine https-URL oder ein Pfad auf dieser Seite.',
  logoHelp: 'Ist nur ein Logo gesetzt, gilt es für beide Designs.',
  externalPicturesHelp:
    'Aus: Texte zeigen hochgeladene Bilder und zu anderen einen Link, denn diese verraten ihrer Website die Adresse aller, die den Text lesen.',
  on: 'an',
  off: 'aus',
  faviconHelp: 'Ein quadratisches Bild ab 32 Pixel oder ein SVG.',
  upload: 'Bild hochladen',
  uploadOf: (name) => `Bild hochladen: ${name}`,
  largePicture: (name) => `${name} ist größer als 1 MB, und alle Besucher laden es herunter.`,
  unreadable: 'Die Datei konnte nicht gelesen werden.',
  onTheme: { dark: 'Auf dem dunklen Design', light: 'Auf dem hellen Design' },
  logo: 'Logo',
  favicon: 'Favicon',
  icon: 'Icon',
  noPicture: (name) => `${name}: keines.`,
  badPicture: (name) => `${name}: Browser laden diese URL nicht.`,
  blockedPicture: (name, host) =>
    `${name}: ein Bild auf ${host}. Speichert es und ladet die Seite neu, um es zu sehen.`,
  brokenPicture: (name) => `${name}: Das Bild wird nicht geladen.`,
  descriptionHelp: 'Erscheint auf der Startseite und in Linkvorschauen.',
  imageHelp: 'Erscheint in Linkvorschauen.',
  sponsor: (place) => `Sponsor ${place}`,
  sponsorFields: { name: 'Name', icon: 'Icon-URL', description: 'Beschreibung', url: 'Link' },
  addSponsor: 'Sponsor hinzufügen',
  tooManySponsors: 'Die maximale Anzahl an Sponsoren ist erreicht.',
  up: (name) => `${name} nach oben`,
  down: (name) => `${name} nach unten`,
  isFirst: 'Schon an erster Stelle.',
  isLast: 'Schon an letzter Stelle.',
  movedTo: (name, place, total) => `${name} ist jetzt ${place} von ${total}.`,
  changes: 'Änderungen',
  fromTo: (from, to, isReset) => (isReset ? `${from} → ${to} (Standard)` : `${from} → ${to}`),
  discard: 'Verwerfen',
  errors: {
    missing: 'Dieses Feld ist erforderlich.',
    tooLong: 'Höchstens 200.000 Zeichen.',
    number: 'Gebt eine ganze Zahl ab 1 ein.',
    registrationOrder: 'Die Registrierung muss nach ihrer Öffnung schließen.',
    order: 'Das Ende muss nach dem Beginn liegen.',
    freezeOrder: 'Das Einfrieren muss nach dem Beginn liegen.',
    address: 'Gebt eine URL ein, die mit http:// oder https:// beginnt.',
  },
}

function challengesOf({ count, text }: Counted): string {
  return `${text} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`
}
