import sql, { join, type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { keyIn } from '../avatars/keys.ts'
import { signOutEverywhere, tokensValidFrom } from './token-validity.ts'

/** Changes by an admin. Null clears a field; an absent field is not changed. */
export interface AdminPatch {
  readonly banned?: boolean | undefined
  readonly name?: string | undefined
  readonly division?: string | undefined
  readonly countryCode?: string | null | undefined
  readonly statusText?: string | null | undefined
  /** The team's own token is refused. */
  readonly tokenOff?: boolean | undefined
}

/** The admin who makes the change, for the action log. */
export type Actor = ActionBy

/** Why nothing was changed: the team does not exist, or has permissions and is protected. */
export type Protection = 'gone' | 'privileged'

type Row = Required<{ readonly [K in keyof AdminPatch]: NonNullable<AdminPatch[K]> | null }>

/** Team fields recorded in the action log. Excludes the email address, which must not outlive the team. */
const logged = sql`banned, name, division, country_code as "countryCode", status_text as "statusText",
  token_off as "tokenOff"`

/** Applies the whole patch or nothing. Rejects with the constraint violation if the name is taken. */
export async function updateTeamAsAdmin(
  db: Database,
  { id, patch }: { readonly id: string; readonly patch: AdminPatch },
  actor: Actor,
): Promise<Protection | 'done'> {
  return await db.change(async (tx) => {
    const row = await lockTeam(tx, id)
    return row ? await patchTeam(tx, { id, row, patch }, actor) : await protectionOf(tx, id)
  })
}

/** Team fields recorded in the action log, which do not change until the commit; null for organisers and unknown teams. */
export async function lockTeam(tx: ChangeTransaction, id: string): Promise<Row | null> {
  const [row] = await tx.query<Row>(sql`
    select ${logged} from teams where id = ${id} and perms = 0 for update`)
  return row ?? null
}

interface TeamEdit {
  readonly id: string
  readonly row: Row
  readonly patch: AdminPatch
}

export async function patchTeam(tx: ChangeTransaction, { id, row, patch }: TeamEdit, actor: Actor) {
  const keys = keysOf(patch)
  const changes = keys.filter((key) => patch[key] !== row[key])
  if (changes.length > 0) {
    await tx.query(sql`update teams set ${join(changes.map((key) => assign(key, patch)))} where id = ${id}`)
    tx.changed('teams', [id])
  }
  const given = Object.fromEntries(changes.map((key) => [key, patch[key]]))
  const change = loggedChange(row, { ...row, ...given })
  await tx.query(recordAdminAction({ ...actor, ...change, action: 'team.update', target: id, keys }))
  return 'done' as const
}

const columns: Readonly<Record<keyof AdminPatch, Sql>> = {
  banned: sql`banned`,
  name: sql`name`,
  division: sql`division`,
  countryCode: sql`country_code`,
  statusText: sql`status_text`,
  tokenOff: sql`token_off`,
}

function keysOf(patch: AdminPatch): (keyof AdminPatch)[] {
  const all = Object.keys(columns) as (keyof AdminPatch)[]
  return all.filter((key) => patch[key] !== undefined)
}

function assign(key: keyof AdminPatch, patch: AdminPatch): Sql {
  return sql`${columns[key]} = ${patch[key]}`
}

/** Determines why no unprivileged team with this id was found. */
async function protectionOf(queries: Queries, id: string): Promise<Protection> {
  const rows = await queries.query(sql`select from teams where id = ${id}`)
  return rows.length > 0 ? 'privileged' : 'gone'
}

/** Also deletes its solves, scores, members and avatar. The submission audit remains. */
export async function removeTeam(db: Database, id: string, actor: Actor): Promise<Protection | 'done'> {
  return await db.change(async (tx) => {
    const [gone] = await tx.query<Row & { avatarUrl: string | null }>(sql`
      delete from teams where id = ${id} and perms = 0 returning ${logged}, avatar_url as "avatarUrl"`)
    if (!gone) return await protectionOf(tx, id)
    const { avatarUrl, ...row } = gone
    const key = keyIn(id, avatarUrl)
    // The outbox deletes the file after the commit and retries while the store is unavailable.
    if (key !== null) await tx.query(addToOutbox('file', { key }))
    await tx.query(
      recordAdminAction({ ...actor, ...loggedChange(row, null), action: 'team.delete', target: id }),
    )
    tx.changed('teams', [id])
    return 'done'
  })
}

/** Records that an admin gets a token of the team, unless the team is protected. */
export async function recordTokenAccess(
  db: Database,
  id: string,
  actor: Actor,
): Promise<Protection | { readonly tokensValidFrom: number }> {
  return await db.transaction(async (tx) => {
    // Prevents the team from getting permissions before the record is committed. Does not block other
    // readers.
    const [row] = await tx.query<{ tokensValidFrom: number }>(
      sql`select ${tokensValidFrom} from teams where id = ${id} and perms = 0 for share`,
    )
    if (!row) return await protectionOf(tx, id)
    await tx.query(recordAdminAction({ ...actor, action: 'team.token', target: id }))
    return row
  })
}

/** Voids all tokens of a team, unless it is protected. */
export async function signOutTeam(
  db: Database,
  { id, now }: { readonly id: string; readonly now: number },
  actor: Actor,
): Promise<Protection | 'done'> {
  return await db.change(async (tx) => {
    const rows = await tx.query(sql`select from teams where id = ${id} and perms = 0 for update`)
    if (rows.length === 0) return await protectionOf(tx, id)
    await signOutEverywhere(tx, { id, now })
    await tx.query(recordAdminAction({ ...actor, action: 'team.sign-out', target: id }))
    return 'done'
  })
}

/** Deletes all solves and feed scores of the team. */
export async function removeSolvesOfTeam(db: Database, id: string, actor: Actor): Promise<void> {
  await db.change(async (tx) => {
    const solves = await tx.query<{ challengeId: string }>(sql`
      delete from solves where team_id = ${id} returning challenge_id as "challengeId"`)
    if (solves.length > 0)
      tx.changed(
        'solves',
        solves.flatMap(({ challengeId }) => [challengeId, id]),
      )
    const scores = await removeFeedScores(tx, id)
    const gone = { solves: solves.map(({ challengeId }) => challengeId).toSorted(), scores }
    const change = loggedChange(gone, null)
    await tx.query(recordAdminAction({ ...actor, ...change, action: 'team.solves.delete', target: id }))
  })
}

/** Adds compensating events, so that the sum of the history equals the score, which is now zero. */
async function removeFeedScores(tx: ChangeTransaction, id: string) {
  const cleared = await tx.query<{ challengeId: string; points: number }>(sql`
    with gone as (
      delete from feed_scores where team_id = ${id} returning challenge_id, points
    ), noted as (
      insert into feed_events (challenge_id, team_id, delta, at)
      select challenge_id, ${id}, -points, date_trunc('milliseconds', clock_timestamp())
      from gone where points <> 0 order by challenge_id
    )
    select challenge_id as "challengeId", points from gone order by challenge_id`)
  if (cleared.length > 0)
    tx.changed(
      'feed',
      cleared.map(({ challengeId }) => challengeId),
    )
  return cleared
}
