import type { OrganiserListMessages } from '../en/organiser-list.ts'
import { counted } from '../counted.ts'

export const organiserList: OrganiserListMessages = {
  columns: 'Spalten',
  csv: 'CSV',
  csvRunning: (done, total) => `${done} von ${counted(total, 'Zeile', 'Zeilen')}`,
  csvTruncated: (most) =>
    `Die Datei enthält die ersten ${most} Zeilen. Für die übrigen die Filter eingrenzen.`,
  previous: 'Vorherige Seite',
  next: 'Nächste Seite',
  goTo: 'Gehe zu Seite',
  rows: (from, to, total) => `${from}–${to} von ${total}`,
  selected: (count) => `${count} ausgewählt`,
  clear: 'Auswahl aufheben',
  progress: (done, total) => `${done} von ${total} erledigt`,
  stop: 'Anhalten',
  failed: (count) => `${count} fehlgeschlagen:`,
  retry: 'Fehlgeschlagene wiederholen',
  tryFlags: {
    title: 'Flags ausprobieren',
    about:
      'Wird wie eine Einreichung verglichen, ohne etwas einzureichen: keine Lösung, keine Punkte, kein First Blood.',
    flag: 'Flag zum Ausprobieren',
    tryOne: 'Flag ausprobieren',
    tryAll: 'Flags ausprobieren',
    empty: 'Eine Flag eingeben.',
    wait: (seconds) => `Zu viele Versuche. In ${seconds} s erneut versuchen.`,
    outcomes: {
      accepted: 'Diese Flag wird angenommen.',
      refused: 'Diese Flag wird abgelehnt.',
      noFlag: 'Diese Aufgabe nimmt keine Flags an.',
      noChallenge: 'Diese Aufgabe wurde gelöscht.',
    },
  },
  pictureFailures: {
    address: 'Das ist keine Adresse einer Website im Internet.',
    unreachable: 'Die Website hat kein Bild gesendet.',
    tooLarge: 'Das Bild ist größer als 10 MB.',
    noPicture: 'Das ist kein Bild im Format PNG, JPEG, GIF, WebP, AVIF oder SVG.',
    limit: 'Ein Import ruft höchstens 100 Bilder mit zusammen 100 MB ab, in zwei Minuten.',
    notStored: 'Das Bild konnte nicht gespeichert werden.',
  },
  foreignPictures: (count) =>
    count === 1 ? '1 Bild einer anderen Website' : `${count} Bilder anderer Websites`,
  foreignPicturesAbout:
    'Wer liest, sieht stattdessen Links, damit diese Websites nicht erfahren, wer die Texte liest.',
  storeForeignPictures: 'Diese Bilder abrufen und hier speichern',
  picturesLeft:
    'Der Import ist fertig. Diese Bilder konnten nicht gespeichert werden und bleiben, wo sie sind:',
}
