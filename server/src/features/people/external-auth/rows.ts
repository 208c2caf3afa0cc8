import sql, { empty } from 'sql-template-tag'
import type { RowKind } from '../../../world/row-kind.ts'

/** A client that was deleted together with the tokens that it had obtained. */
export interface EndedClient {
  readonly id: string
}

export const endedClientRows: RowKind<EndedClient, { has(id: string): boolean }> = {
  kind: 'ended-external-auth-clients',
  read: (db, ids) =>
    db.query<EndedClient>(sql`
      select id from ended_external_auth_clients ${ids ? sql`where id = any(${ids})` : empty}`),
  keyOf: ({ id }) => id,
  slice: (rows) => ({ has: (id) => rows.has(id) }),
}
