import type { Kind } from '../../contest/kinds/kind.ts'
import { announcementRows } from './rows.ts'
import { announcementEvents } from './stream.ts'
import { announcementUndo } from './undo.ts'

export const announcementKind: Kind = {
  rows: [announcementRows],
  events: [announcementEvents],
  undo: announcementUndo,
  nameOf: (id, world) => world.rows(announcementRows).find((row) => row.id === id)?.title,
}
