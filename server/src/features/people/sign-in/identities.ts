import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { insertPerson } from '../persons/store.ts'
import type { ProviderAccount } from './provider.ts'
import { findAccount, type Account } from './store.ts'

type Identity = Pick<ProviderAccount, 'issuer' | 'subject' | 'label'> & {
  /** That the provider's claims lead to. */
  readonly division: string | null
}

const MAX_LABEL = 128

/** The person of an account, by issuer and subject and nothing else. */
export async function findByIdentity(
  db: Queries,
  { issuer, subject, division }: Pick<Identity, 'issuer' | 'subject' | 'division'>,
): Promise<Account | null> {
  const [row] = await db.query<{ personId: string }>(sql`
    update person_identities
    set last_used_at = date_trunc('milliseconds', clock_timestamp()), division = ${division}
    where issuer = ${issuer} and subject = ${subject} returning person_id as "personId"`)
  return row ? await findAccount(db, row.personId) : null
}

/** In place of an earlier account of the same issuer. Returns false if another person has it. */
export async function linkIdentity(
  tx: ChangeTransaction,
  personId: string,
  { issuer, subject, label, division }: Identity,
): Promise<boolean> {
  const [row] = await tx.query<{ personId: string }>(sql`
    insert into person_identities (issuer, subject, person_id, label, division)
    values (${issuer}, ${subject}, ${personId}, ${label.replaceAll(/\p{C}/gu, '').slice(0, MAX_LABEL)}, ${division})
    on conflict (issuer, subject) do update set label = excluded.label, division = excluded.division
    returning person_id as "personId"`)
  if (row?.personId !== personId) return false
  await tx.query(sql`
    delete from person_identities
    where person_id = ${personId} and issuer = ${issuer} and subject <> ${subject}`)
  return true
}

/** A person without an address: that of a provider proves nothing here. */
export async function createWithIdentity(
  tx: ChangeTransaction,
  name: string,
  identity: Identity,
): Promise<Account | null> {
  const known = await findByIdentity(tx, identity)
  if (known) return known
  const id = await insertPerson(tx, { name, email: null })
  if (id === null) return null
  await linkIdentity(tx, id, identity)
  return await findAccount(tx, id)
}

export async function listIdentities(
  db: Queries,
  personId: string,
): Promise<{ readonly issuer: string; readonly label: string }[]> {
  return await db.query(
    sql`select issuer, label from person_identities where person_id = ${personId} order by issuer limit 100`,
  )
}

export async function unlinkIdentity(db: Queries, personId: string, issuer: string): Promise<void> {
  await db.query(sql`delete from person_identities where person_id = ${personId} and issuer = ${issuer}`)
}
