import { apiTokenLimits } from '@pennant/contract/api-tokens.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql, { type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { orderedId } from '../../../lib/uuid.ts'
import { millis } from '../../../world/rows.ts'
import { apiTokenRows, type ApiTokenRow } from './rows.ts'

/** A token with its last use, which the memory of processes lacks. */
export interface StoredToken extends ApiTokenRow {
  readonly lastUsedAt: number | null
  readonly lastUsedIp: string | null
}

/** Whose tokens: those of a person, or of the team itself. */
export type Owner = Pick<ApiTokenRow, 'teamId' | 'personId'>

const MAX_LISTED = 1000

function readStored(db: Queries, condition: Sql): Promise<StoredToken[]> {
  return db.query<StoredToken>(sql`
    select id, team_id as "teamId", person_id as "personId", name, encode(hash, 'hex') as hash, scopes,
      ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "expiresAt",
      second_factor as "hasSecondFactor", ${millis('last_used_at')} as "lastUsedAt", last_used_ip as "lastUsedIp"
    from api_tokens where ${condition} order by created_at, id limit ${MAX_LISTED}`)
}

const ownedBy = ({ teamId, personId }: Owner) =>
  sql`team_id = ${teamId} and person_id is not distinct from ${personId}`

/** Oldest first. */
export function listTokens(db: Queries, owner: Owner): Promise<StoredToken[]> {
  return readStored(db, ownedBy(owner))
}

/** Including those of its people, oldest first. */
export function listTokensOfTeam(db: Queries, teamId: string): Promise<StoredToken[]> {
  return readStored(db, sql`team_id = ${teamId}`)
}

export interface NewToken
  extends Owner, Pick<ApiTokenRow, 'name' | 'scopes' | 'createdAt' | 'expiresAt' | 'hasSecondFactor'> {
  readonly hash: Buffer
}

export interface Creation {
  /** Unix milliseconds. Earlier tokens of the owner are void. */
  readonly validFrom: number
  /** Null for a team without permissions, whose changes the action log does not contain. */
  readonly by: ActionBy | null
}

/**
 * Replaces tokens of the owner that have ended. Returns the id, `full` if the owner has too many, or null if the team was
 * deleted meanwhile.
 */
export async function insertToken(
  db: Database,
  token: NewToken,
  { validFrom, by }: Creation,
): Promise<string | 'full' | null> {
  const { teamId, personId, name, hash, scopes, createdAt, expiresAt, hasSecondFactor } = token
  return await db.change(async (tx) => {
    const id = orderedId()
    await tx.query(sql`
      delete from api_tokens where ${ownedBy(token)}
        and (expires_at <= to_timestamp(${createdAt} / 1000.0) or created_at < to_timestamp(${validFrom} / 1000.0))`)
    const [found] = await tx.query<{ count: number }>(
      sql`select count(*) from api_tokens where ${ownedBy(token)}`,
    )
    if ((found?.count ?? 0) >= apiTokenLimits.stored) return 'full'
    const rows = await tx.query(sql`
      insert into api_tokens (id, team_id, person_id, name, hash, scopes, created_at, expires_at, second_factor)
      select ${id}, id, ${personId}, ${name}, ${hash}, ${scopes}::text[], to_timestamp(${createdAt} / 1000.0),
        to_timestamp(${expiresAt}::float8 / 1000.0), ${hasSecondFactor} from teams where id = ${teamId}
      returning id`)
    tx.changed(apiTokenRows, [teamId])
    if (rows.length === 0) return null
    if (by) {
      const change = loggedChange(null, loggedOf(token))
      const keys = ['name', 'scopes', 'expiresAt']
      await tx.query(recordAdminAction({ ...by, ...change, action: 'api-token.create', target: id, keys }))
    }
    return id
  })
}

function loggedOf({ name, scopes, expiresAt }: Pick<ApiTokenRow, 'name' | 'scopes' | 'expiresAt'>) {
  return { name, scopes: scopes.join(' '), expiresAt }
}

/** False if the owner has no such token. */
export async function revokeOwn(
  db: Database,
  { id, owner }: { readonly id: string; readonly owner: Owner },
  by: ActionBy | null,
): Promise<boolean> {
  return await db.change((tx) => remove(tx, sql`id = ${id} and ${ownedBy(owner)}`, by))
}

export interface TeamRevocation {
  readonly id: string
  readonly teamId: string
  /** Whether tokens of teams with permissions may be revoked. */
  readonly isOwner: boolean
}

export async function revokeOfTeam(
  db: Database,
  { id, teamId, isOwner }: TeamRevocation,
  by: ActionBy,
): Promise<'done' | 'gone' | 'privileged'> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<{ perms: number }>(sql`select perms from teams where id = ${teamId}`)
    if (team && team.perms > 0 && !isOwner) return 'privileged'
    return (await remove(tx, sql`id = ${id} and team_id = ${teamId}`, by)) ? 'done' : 'gone'
  })
}

/** By the hash of the token: whoever has it may end it. Does nothing if it is unknown. */
export async function revokeByHash(
  db: Database,
  hash: Buffer,
  byOf: (teamId: string) => ActionBy | null,
): Promise<void> {
  await db.change(async (tx) => {
    const [token] = await tx.query<Pick<ApiTokenRow, 'teamId'>>(
      sql`select team_id as "teamId" from api_tokens where hash = ${hash}`,
    )
    if (token) await remove(tx, sql`hash = ${hash}`, byOf(token.teamId))
  })
}

async function remove(tx: ChangeTransaction, condition: Sql, by: ActionBy | null): Promise<boolean> {
  const [gone] = await tx.query<ApiTokenRow>(sql`
    delete from api_tokens where ${condition}
    returning id, team_id as "teamId", name, scopes, ${millis('expires_at')} as "expiresAt"`)
  if (!gone) return false
  tx.changed(apiTokenRows, [gone.teamId])
  if (by) {
    const change = loggedChange(loggedOf(gone), null)
    await tx.query(recordAdminAction({ ...by, ...change, action: 'api-token.revoke', target: gone.id }))
  }
  return true
}

/** How old the last use may be that is stored. */
export const USE_MS = MINUTE_MS

/** Of several processes, the first one in a minute writes. */
export async function writeUse(
  db: Queries,
  { id, ip, at }: { readonly id: string; readonly ip: string; readonly at: number },
): Promise<void> {
  await db.query(sql`
    update api_tokens set last_used_at = to_timestamp(${at} / 1000.0), last_used_ip = ${ip}
    where id = ${id} and (last_used_at is null or last_used_at <= to_timestamp(${at - USE_MS} / 1000.0))`)
}
