import type { ChangeTransaction } from '../../../db/database.ts'
import type { Fields } from '../../../lib/logged-fields.ts'
import { undoOfChange, type UndoRule } from '../../contest/kinds/undo-kind.ts'
import { readAnnouncements } from './rows.ts'
import { deleteAnnouncement, replaceTexts, textsOf, type AnnouncementTexts } from './store.ts'

async function readAnnouncement(tx: ChangeTransaction, id: string) {
  return (await readAnnouncements(tx, [id]))[0]
}

async function announcementTexts(tx: ChangeTransaction, id: string): Promise<Fields | null> {
  const row = await readAnnouncement(tx, id)
  return row ? { ...textsOf(row) } : null
}

/** The earlier text. Messages that were sent stay as they are. */
const undoUpdate = undoOfChange(({ id, before }) => ({
  perms: ['settingsWrite'],
  current: (tx) => announcementTexts(tx, id),
  async apply(tx, { actorId, ip, undoes, now }) {
    const old = await readAnnouncement(tx, id)
    if (!old) return []
    const next = { ...textsOf(old), ...(before as Partial<AnnouncementTexts>) }
    await replaceTexts(tx, { old, next, keys: Object.keys(before) }, { actorId, ip, undoes, now })
    return []
  },
}))

/** Deletes an announcement that no one has edited since. */
const undoCreate: UndoRule = ({ id }) => ({
  perms: ['settingsWrite'],
  current: (tx) => announcementTexts(tx, id),
  async apply(tx, by) {
    const row = await readAnnouncement(tx, id)
    if (row) await deleteAnnouncement(tx, row, by)
    return []
  },
})

export const announcementUndo: Readonly<Record<string, UndoRule>> = {
  'announcement.create': undoCreate,
  'announcement.update': undoUpdate,
}
