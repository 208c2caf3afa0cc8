import type { OrganiserListMessages } from '../en/organiser-list.ts'

export const organiserList: OrganiserListMessages = {
  columns: 'Spalten',
  csv: 'CSV',
  csvRunning: (done, total) => `${done} von ${total} Zeilen`,
  csvCancel: 'Abbrechen',
  csvTruncated: (most) =>
    `Die Datei enthält die ersten ${most} Zeilen. Für die übrigen die Filter eingrenzen.`,
  search: 'Suche',
  previous: 'Vorherige Seite',
  next: 'Nächste Seite',
  goTo: 'Gehe zu Seite',
  rows: (from, to, total) => `${from}–${to} von ${total}`,
  selected: (count) => `${count} ausgewählt`,
  clear: 'Auswahl aufheben',
  progress: (done, total) => `${done} von ${total} erledigt`,
  stop: 'Anhalten',
  close: 'Schließen',
  failed: (count) => `${count} fehlgeschlagen:`,
  retry: 'Fehlgeschlagene wiederholen',
}
