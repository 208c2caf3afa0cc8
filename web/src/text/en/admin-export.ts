import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const adminExportMessages = catalogue('adminExport', {
  title: 'Export',
  standings: 'Standings for the ranking site',
  about: 'All ranked teams of all divisions, in the format of CTFtime.',
  count: (teams: number) => (teams === 1 ? '1 team is ranked.' : `${teams} teams are ranked.`),
  first: (rows: string, total: string) => `Top ${rows} of ${total}.`,
  table: 'First rows of the standings',
  place: 'Rank',
  final: 'The event is over. This file is final.',
  provisional: (end: string) =>
    `The event runs until ${end}. This file is provisional: do not submit it yet.`,
  save: 'Save final standings',
  saveProvisional: 'Save provisional standings',
  saved: (name: string) => `Saved as ${name}.`,
  board: 'Full scoreboard',
  boardAbout: 'A CSV file with the division, country, score, solves and last solve of each team.',
  saveBoard: 'Save scoreboard as CSV',
  loading: (done: string, total: string) => `${done} of ${counted(total, 'team', 'teams')}`,
  truncated: (rows: string) => `Only the first ${rows} teams were saved.`,
})

export type AdminExportMessages = typeof adminExportMessages.english
