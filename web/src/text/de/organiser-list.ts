import type { OrganiserListMessages } from '../en/organiser-list.ts'

export const organiserList: OrganiserListMessages = {
  columns: 'Spalten',
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
