import type { AdminSettingsWords, Counted } from '../en/admin-settings.ts'

export const adminSettings: AdminSettingsWords = {
  title: 'Einstellungen des Wettbewerbs',
  groups: 'Gruppen',
  event: 'Wettbewerb',
  times: 'Zeiten',
  look: 'Aussehen',
  home: 'Startseite',
  sponsors: 'Sponsoren',
  sharing: 'Teilen',
  names: {
    ctfName: 'Name',
    startTime: 'Beginn',
    endTime: 'Ende',
    logoDarkUrl: 'Logo für das dunkle Thema',
    logoLightUrl: 'Logo für das helle Thema',
    faviconUrl: 'Zeichen im Tab',
    homeContent: 'Text der Startseite',
    sponsors: 'Sponsoren',
    description: 'Beschreibung',
    imageUrl: 'Bild',
  },
  default: 'Vorgabe',
  overridden: 'überschrieben',
  defaultIs: 'Vorgabe:',
  reset: 'Vorgabe nehmen',
  resetOf: (name) => `Vorgabe nehmen: ${name}`,
  none: 'keine',
  empty: 'leer',
  lasts: ({ days, hours, minutes }) =>
    `Dauert ${[days && `${days} T`, hours && `${hours} Std.`, minutes && `${minutes} Min.`].filter(Boolean).join(' ')}.`,
  whenSaved: 'Sobald es gespeichert ist:',
  opens: (challenges) =>
    challenges === null
      ? 'öffnet jetzt alle sichtbaren Aufgaben.'
      : `öffnet jetzt ${challengesOf(challenges)}.`,
  closes: (challenges, start) =>
    `schließt ${challenges === null ? 'alle Aufgaben' : challengesOf(challenges)} für die Teams bis ${start}.`,
  goesOn: (end) => `der Wettbewerb geht weiter, und Flags werden bis ${end} angenommen.`,
  isOver: (teams) =>
    teams === null
      ? 'der Wettbewerb ist für alle Teams vorbei.'
      : `der Wettbewerb ist für ${teams.text} ${teams.count === 1 ? 'Team' : 'Teams'} vorbei.`,
  crossTitle: { OPEN: 'Den Wettbewerb jetzt öffnen?', CLOSE: 'Den Wettbewerb jetzt schließen?' },
  crossDeed: { OPEN: 'Jetzt öffnen', CLOSE: 'Jetzt schließen' },
  pictureHelp: 'Eine https-Adresse oder ein Pfad dieser Seite.',
  logoHelp: 'Ist nur ein Logo angegeben, so steht es auf beiden Themen.',
  faviconHelp: 'Am besten ein Quadrat ab 32 Pixel oder ein SVG.',
  upload: 'Bild hochladen',
  uploadOf: (name) => `Bild hochladen: ${name}`,
  largePicture: (name) => `${name} ist größer als 1 MB: alle Besucher müssten es laden.`,
  unreadable: 'Die Datei ließ sich nicht lesen.',
  onTheme: { dark: 'Auf dem dunklen Thema', light: 'Auf dem hellen Thema' },
  logo: 'Logo',
  favicon: 'Zeichen',
  icon: 'Zeichen',
  noPicture: (name) => `${name}: keines.`,
  badPicture: (name) => `${name}: Diese Adresse zeigen Browser nicht.`,
  brokenPicture: (name) => `${name}: Das Bild lädt nicht.`,
  descriptionHelp: 'Steht unter dem Namen auf der Startseite und dort, wo die Adresse geteilt wird.',
  imageHelp: 'Erscheint dort, wo die Adresse geteilt wird.',
  preview: 'Vorschau',
  sponsor: (place) => `Sponsor ${place}`,
  sponsorFields: { name: 'Name', icon: 'Adresse des Zeichens', description: 'Beschreibung', url: 'Link' },
  addSponsor: 'Sponsor hinzufügen',
  tooManySponsors: 'Mehr passen nicht.',
  up: (name) => `${name} nach oben`,
  down: (name) => `${name} nach unten`,
  isFirst: 'Er ist der erste.',
  isLast: 'Er ist der letzte.',
  movedTo: (name, place, total) => `${name} ist jetzt ${place} von ${total}.`,
  removeSponsor: (name) => `${name} entfernen`,
  changes: 'Änderungen',
  fromTo: (from, to, isReset) => (isReset ? `${from} → ${to} (Vorgabe)` : `${from} → ${to}`),
  save: (count) => (count === 1 ? '1 Änderung speichern' : `${count} Änderungen speichern`),
  saved: 'Gespeichert.',
  discard: 'Verwerfen',
  faults: {
    missing: 'Das wird gebraucht.',
    tooLong: 'Höchstens 200.000 Zeichen.',
    order: 'Das Ende muss nach dem Beginn liegen.',
    address: 'Eine Adresse beginnt mit http:// oder https://.',
  },
}

function challengesOf({ count, text }: Counted): string {
  return `${text} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`
}
