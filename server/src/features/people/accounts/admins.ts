import { ALL_PERMISSIONS, storedPermissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { byCommand, recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { randomId } from '../../../lib/uuid.ts'
import { personRows } from '../persons/rows.ts'
import type { Actor } from '../teams/admin-store.ts'
import type { Collision } from '../teams/collision.ts'
import { signOutEverywhere, tokensValidFrom, voidTokens } from '../teams/token-validity.ts'
import { insertTeams } from '../teams/new-teams.ts'
import { deleteAdminRegistrations } from './registrations.ts'

// Manages permissions, for the command line and for owners on the site.

export interface Admin {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly perms: number
}

export interface NewTeamByHand {
  readonly db: Database
  readonly name: string
  readonly email: string
  readonly perms: number
  readonly division: string
  /** For the action log. */
  readonly by?: ActionBy
}

/** Creates a team without a registration. One with permissions invalidates the first-admin link. */
export async function createTeamByHand({
  db,
  by,
  ...given
}: NewTeamByHand): Promise<{ readonly id: string } | { readonly collision: Collision }> {
  const id = randomId()
  const team = { ...given, perms: storedPermissions(given.perms) }
  return await db.change(async (tx) => {
    const [collision] = await insertTeams(tx, [{ ...team, id, extrankId: null }])
    if (collision) return { collision }
    if (team.perms !== 0) await deleteAdminRegistrations(tx)
    const { name, perms, division } = team
    const change = loggedChange(null, { name, perms, division })
    const action = perms === 0 ? 'team.create' : 'organiser.create'
    if (by) await tx.query(recordAdminAction({ ...by, ...change, action, target: id }))
    return { id }
  })
}

/** Teams with any permission, sorted by name. */
export async function listAdmins(db: Queries): Promise<Admin[]> {
  return await db.query<Admin>(
    sql`select id, name, email, perms from teams where perms <> 0 order by lower(name)`,
  )
}

/** An admin after a change. If anything changed, earlier tokens are void. */
export interface ChangedAdmin extends Admin {
  readonly isChanged: boolean
  readonly tokensValidFrom: number
}

interface PermissionChange {
  readonly email: string
  readonly permsOf: (perms: number) => number
  readonly now: number
}

/** Adds permissions to the team's existing ones. Returns null if no team has the address. */
export async function promote(
  db: Database,
  { email, perms, now }: { readonly email: string; readonly perms: number; readonly now: number },
): Promise<ChangedAdmin | null> {
  return await changePermissions(db, { email, now, permsOf: (before) => before | perms })
}

/** Removes all permissions. Returns null if no team has the address. */
export async function demote(
  db: Database,
  { email, now }: { readonly email: string; readonly now: number },
): Promise<ChangedAdmin | null> {
  return await changePermissions(db, { email, now, permsOf: () => 0 })
}

interface RoleChange {
  readonly id: string
  readonly perms: number
  readonly now: number
}

/**
 * Sets the permissions of a team for an owner. Refused if no one would have all permissions afterwards; changes wait for
 * each other, so two owners cannot remove each other at the same time.
 */
export async function setPermissions(
  db: Database,
  { id, perms, now }: RoleChange,
  actor: Actor,
): Promise<ChangedAdmin | 'gone' | 'lastOwner' | 'notOwner'> {
  return await db.change(async (tx) => {
    const owners = await tx.query<{ id: string }>(
      sql`select id from teams where perms = ${ALL_PERMISSIONS} order by id for update`,
    )
    // The caller may have lost the permissions since the request was authorised.
    if (!owners.some((owner) => owner.id === actor.actorId)) return 'notOwner'
    const [team] = await tx.query<AdminRow>(sql`select ${columns} from teams where id = ${id} for update`)
    if (!team) return 'gone'
    if (storedPermissions(perms) !== ALL_PERMISSIONS && owners.every((owner) => owner.id === id))
      return 'lastOwner'
    const changed = await writePermissions(tx, team, { perms, now })
    if (changed.isChanged) await note(tx, { by: actor, before: team, after: changed })
    return changed
  })
}

async function changePermissions(
  db: Database,
  { email, permsOf, now }: PermissionChange,
): Promise<ChangedAdmin | null> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<AdminRow>(
      sql`select ${columns} from teams where email = ${email} for update`,
    )
    if (!team) return null
    const changed = await writePermissions(tx, team, { perms: permsOf(team.perms), now })
    if (changed.isChanged) await note(tx, { by: byCommand, before: team, after: changed })
    return changed
  })
}

async function note(
  tx: Queries,
  { by, before, after }: { readonly by: ActionBy; readonly before: AdminRow; readonly after: AdminRow },
): Promise<void> {
  const change = loggedChange({ perms: before.perms }, { perms: after.perms })
  const action = { action: 'organiser.update', target: before.id, keys: ['perms'] }
  await tx.query(recordAdminAction({ ...by, ...change, ...action }))
}

type AdminRow = Omit<ChangedAdmin, 'isChanged'>
const columns = sql`id, name, email, perms, ${tokensValidFrom}`

/**
 * Voids the team's tokens on every change of permissions: an existing session must not gain the new
 * permissions, and a former admin must not keep one.
 */
async function writePermissions(
  tx: ChangeTransaction,
  team: AdminRow,
  { perms: wanted, now }: { readonly perms: number; readonly now: number },
): Promise<ChangedAdmin> {
  const perms = storedPermissions(wanted)
  if (perms === team.perms) return { ...team, isChanged: false }
  const [changed = team] = await tx.query<AdminRow>(
    sql`update teams set perms = ${perms}, ${voidTokens(now)} where id = ${team.id} returning ${columns}`,
  )
  tx.changed('teams', [team.id])
  if (perms !== 0) await deleteAdminRegistrations(tx)
  // People who are there already do not become organisers with their team.
  const people = await tx.query<{ id: string }>(
    sql`update persons set perms = 0 where team_id = ${team.perms === 0 ? team.id : null} returning id`,
  )
  if (people.length > 0)
    tx.changed(
      personRows,
      people.map(({ id }) => id),
    )
  return { ...changed, isChanged: true }
}

/**
 * Voids all tokens of the team with this address, whatever its permissions. Returns null if there is none.
 */
export async function signOutByEmail(
  db: Database,
  { email, now }: { readonly email: string; readonly now: number },
): Promise<ChangedAdmin | null> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<Admin>(sql`select id, name, email, perms from teams where email = ${email}`)
    if (!team) return null
    const instant = await signOutEverywhere(tx, { id: team.id, now })
    await tx.query(recordAdminAction({ ...byCommand, action: 'team.sign-out', target: team.id }))
    return instant === null ? null : { ...team, isChanged: true, tokensValidFrom: instant }
  })
}
