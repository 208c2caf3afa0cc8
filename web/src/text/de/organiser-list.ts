import type { OrganiserListWords } from '../en/organiser-list.ts'

export const organiserList: OrganiserListWords = {
  columns: 'Spalten',
  search: 'Suche',
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  goTo: 'Gehe zu Seite',
  rows: (from, to, total) => `${from} bis ${to} von ${total}`,
  selected: (count) => `${count} ausgewählt`,
  clear: 'Auswahl aufheben',
  progress: (done, total) => `${done} von ${total} erledigt`,
  stop: 'Anhalten',
  close: 'Schließen',
  failed: (count) => `${count} fehlgeschlagen:`,
  retry: 'Fehlgeschlagene wiederholen',
}
