import { allPermissions } from '@pennant/contract/permissions.ts'
import { undoOfChange, type UndoRule } from '../../contest/kinds/undo-kind.ts'
import { loggedPerson, updatePersonAsAdmin, type PersonPatch } from './admin-store.ts'
import { findOrganiser, setPersonPerms } from './organiser-store.ts'
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

const undoPermissions = undoOfChange(({ id, before }) => ({
  perms: allPermissions,
  async current(tx) {
    const row = await findOrganiser(tx, id)
    return row && { perms: row.perms }
  },
  async apply(tx, { actorId, ip, undoes }) {
    const { perms } = before as { perms: number | null }
    return (await setPersonPerms(tx, { id, perms }, { actorId, ip, undoes })) ? [] : ['perms']
  },
}))

export const personUndo: Readonly<Record<string, UndoRule>> = {
  'person.update': undoUpdate,
  'organiser.set-person': undoPermissions,
}
