import type { Scope } from '@pennant/contract/scopes.ts'
import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { RowKind } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// API tokens as stored in the database, without their last use: docs/reference/api-tokens.md

export interface ApiTokenRow {
  readonly id: string
  readonly teamId: string
  /** Null for a token of the team itself. */
  readonly personId: string | null
  readonly name: string
  /** SHA-256 of the token, in hex. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  /** It was made in a session with a second factor. */
  readonly hasSecondFactor: boolean
}

/** By hash. */
export const apiTokenRows: RowKind<ApiTokenRow, ReadonlyMap<string, ApiTokenRow>> = {
  kind: 'api-tokens',
  read: readApiTokens,
  keyOf: ({ teamId }) => teamId,
  slice: (rows) => new Map([...rows.values()].flat().map((row) => [row.hash, row])),
  isByTeam: true,
}

/** The tokens of the given teams, or all. */
export function readApiTokens(db: Queries, teamIds?: readonly string[]): Promise<ApiTokenRow[]> {
  return db.query<ApiTokenRow>(sql`
    select id, team_id as "teamId", person_id as "personId", name, encode(hash, 'hex') as hash, scopes,
      ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "expiresAt",
      second_factor as "hasSecondFactor"
    from api_tokens ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`)
}
