import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { findPerson, makeCaptain, renamePerson, takeFromTeam } from './membership.ts'
import { endSessionsOf } from './organiser-store.ts'
import { personRows, type PersonRow } from './rows.ts'
import { placeInTeam } from './store.ts'

/** Changes by an organiser; an absent field is not changed. */
export interface PersonPatch {
  readonly name?: string | undefined
  readonly teamId?: string | null | undefined
  readonly isCaptain?: boolean | undefined
}

/** Of the action log. The address must not outlive the person. */
export function loggedPerson({ name, teamId, isCaptain }: PersonRow) {
  return { name, teamId, isCaptain }
}

interface PersonEdit {
  readonly id: string
  readonly patch: PersonPatch
  readonly now: number
}

/** Applies the whole patch or nothing, whether or not teams are locked or full. */
export async function updatePersonAsAdmin(
  tx: ChangeTransaction,
  { id, patch, now }: PersonEdit,
  by: ActionBy,
): Promise<'done' | 'gone' | 'team' | 'privileged' | 'not-in-team'> {
  const before = await findPerson(tx, id)
  if (!before) return 'gone'
  const teamId = patch.teamId === undefined ? before.teamId : patch.teamId
  for (const each of new Set([before.teamId, teamId])) {
    const refusal = each === null ? null : await refusalOf(tx, each)
    if (refusal) return refusal
  }
  if (patch.isCaptain && teamId === null) return 'not-in-team'
  if (patch.name !== undefined) await renamePerson(tx, id, patch.name)
  if (teamId !== before.teamId) {
    // The trigger of the place clears only what a person without a team cannot have.
    await takeFromTeam(tx, id)
    if (teamId !== null) await placeInTeam(tx, { id, teamId, isCaptain: false, at: now })
  }
  if (patch.isCaptain && teamId !== null) await makeCaptain(tx, { personId: id, teamId })
  if (patch.isCaptain === false) await tx.query(sql`update persons set is_captain = false where id = ${id}`)
  tx.changed(personRows, [id])
  const after = await findPerson(tx, id)
  const change = loggedChange(loggedPerson(before), loggedPerson(after ?? before))
  await tx.query(
    recordAdminAction({ ...by, ...change, action: 'person.update', target: id, keys: Object.keys(patch) }),
  )
  return 'done'
}

/** People of organisers' teams, and places in them, are not changed here: a place is permissions. */
async function refusalOf(tx: ChangeTransaction, teamId: string): Promise<'team' | 'privileged' | null> {
  const [team] = await tx.query<{ perms: number }>(
    sql`select perms from teams where id = ${teamId} for share`,
  )
  if (!team) return 'team'
  return team.perms === 0 ? null : 'privileged'
}

/** A person who is no organiser. */
export async function findPlayer(
  tx: ChangeTransaction,
  id: string,
): Promise<PersonRow | 'gone' | 'privileged'> {
  const row = await findPerson(tx, id)
  if (!row) return 'gone'
  return row.teamId !== null && (await refusalOf(tx, row.teamId)) === 'privileged' ? 'privileged' : row
}

export async function endAllSessions(
  tx: ChangeTransaction,
  { id, now }: { readonly id: string; readonly now: number },
  by: ActionBy,
): Promise<'done' | 'gone' | 'privileged'> {
  const row = await findPlayer(tx, id)
  if (typeof row === 'string') return row
  await endSessionsOf(tx, id, now)
  await tx.query(recordAdminAction({ ...by, action: 'person.sign-out', target: id }))
  return 'done'
}
