import { undoOfChange, type UndoRule } from '../../contest/kinds/undo-kind.ts'
import { loggedPerson, updatePersonAsAdmin, type PersonPatch } from './admin-store.ts'
import { findPerson } from './membership.ts'

/** The earlier name and place. A captain whom the change replaced stays a member. */
const undoUpdate = undoOfChange(({ id, before }) => ({
  perms: ['usersWrite'],
  async current(tx) {
    const row = await findPerson(tx, id)
    return row && loggedPerson(row)
  },
  async apply(tx, { actorId, ip, undoes, now }) {
    const edit = { id, patch: before as PersonPatch, now }
    const outcome = await updatePersonAsAdmin(tx, edit, { actorId, ip, undoes })
    return outcome === 'done' ? [] : ['teamId']
  },
}))

export const personUndo: Readonly<Record<string, UndoRule>> = { 'person.update': undoUpdate }
