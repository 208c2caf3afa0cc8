import type { PagesMessages } from '../en/pages.ts'

export const pages: PagesMessages = {
  mustAccept: 'Bevor ihr Flags einreicht, muss euer Team zustimmen:',
  accept: 'Für das Team zustimmen',
  yourData: 'Gespeicherte Daten: herunterladen oder löschen',
  missing: 'Diese Seite gibt es nicht, oder sie ist nicht veröffentlicht.',
  contents: 'Auf dieser Seite',
  languages: 'Sprachen',
  otherLanguage: 'Diese Seite gibt es nicht in eurer Sprache.',
  edited: (time) => `Zuletzt geändert: ${time}`,
  accepted: 'Euer Team hat dieser Seite zugestimmt.',
  acceptAtRegistration: (title) => `Wir stimmen zu: ${title}`,
  read: (title) => `${title} lesen`,
}
