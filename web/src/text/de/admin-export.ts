import type { AdminExportMessages } from '../en/admin-export.ts'
import { counted } from '../counted.ts'

export const adminExport: AdminExportMessages = {
  title: 'Export',
  standings: 'Rangliste für die Ranking-Seite',
  about: 'Alle platzierten Teams aller Wertungen, im Format von CTFtime.',
  count: (teams) => (teams === 1 ? '1 Team ist platziert.' : `${teams} Teams sind platziert.`),
  first: (rows, total) => `Top ${rows} von ${total}.`,
  table: 'Erste Zeilen der Rangliste',
  place: 'Platz',
  final: 'Der Wettbewerb ist vorbei. Diese Datei ist endgültig.',
  provisional: (end) => `Der Wettbewerb läuft bis ${end}. Diese Datei ist vorläufig: noch nicht einreichen.`,
  save: 'Endgültige Rangliste speichern',
  saveProvisional: 'Vorläufige Rangliste speichern',
  saved: (name) => `Gespeichert als ${name}.`,
  board: 'Vollständige Rangliste',
  boardAbout: 'Eine CSV-Datei mit Wertung, Land, Punkten, Lösungen und letzter Lösung jedes Teams.',
  saveBoard: 'Rangliste als CSV speichern',
  loading: (done, total) => `${done} von ${counted(total, 'Team', 'Teams')}`,
  truncated: (rows) => `Nur die ersten ${rows} Teams wurden gespeichert.`,
}
