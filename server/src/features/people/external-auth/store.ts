import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { endedClientRows } from './rows.ts'

/** A site that can sign teams in. */
export interface Client {
  readonly id: string
  readonly name: string
  readonly redirectUri: string
  readonly kind: 'external-auth' | 'openid'
  readonly createdAt: Date
  /** Id of a team. */
  readonly createdBy: string | null
}

export interface NewClient extends Pick<Client, 'id' | 'name' | 'redirectUri' | 'kind'> {
  readonly secretHash: Buffer
}

export interface ClientStore {
  /** Oldest first. */
  list(): Promise<Client[]>
  find(id: string): Promise<(Client & { readonly secretHash: Buffer }) | null>
  create(client: NewClient, by: ActionBy): Promise<Client>
  /** Returns whether the client existed. */
  remove(client: { readonly id: string; readonly endsTokens: boolean }, by: ActionBy): Promise<boolean>
}

const columns = sql`id, name, kind, redirect_uri as "redirectUri", created_at as "createdAt", created_by as "createdBy"`

export function createClientStore(db: Database): ClientStore {
  return {
    list: () => db.query<Client>(sql`select ${columns} from external_auth_clients order by created_at, id`),

    async find(id) {
      const [client] = await db.query<Client & { secretHash: Buffer }>(sql`
        select ${columns}, secret_hash as "secretHash" from external_auth_clients where id = ${id}`)
      return client ?? null
    },

    create: (client, by) =>
      db.transaction(async (tx) => {
        const { id, name, redirectUri, kind, secretHash } = client
        // `created_by` is null if the team was deleted in the meantime.
        const [created] = await tx.query<Client>(sql`
          insert into external_auth_clients (id, name, redirect_uri, kind, secret_hash, created_by)
          values (${id}, ${name}, ${redirectUri}, ${kind}, ${secretHash},
            (select id from teams where id = ${by.actorId} for key share))
          returning ${columns}`)
        if (!created) throw new Error('an insert returned nothing')
        const action = {
          action: 'external-auth-client.create',
          target: id,
          keys: ['name', 'redirectUri', 'kind'],
        }
        await tx.query(
          recordAdminAction({ ...by, ...loggedChange(null, { name, redirectUri, kind }), ...action }),
        )
        return created
      }),

    remove: ({ id, endsTokens }, by) =>
      db.change(async (tx) => {
        const [gone] = await tx.query<Pick<Client, 'name' | 'redirectUri' | 'kind'>>(sql`
          delete from external_auth_clients where id = ${id} returning name, redirect_uri as "redirectUri", kind`)
        if (!gone) return false
        if (endsTokens) {
          await tx.query(sql`insert into ended_external_auth_clients (id) values (${id})`)
          tx.changed(endedClientRows, [id])
        }
        const keys = endsTokens ? ['tokens'] : []
        const action = { action: 'external-auth-client.delete', target: id, keys }
        await tx.query(recordAdminAction({ ...by, ...loggedChange(gone, null), ...action }))
        return true
      }),
  }
}
