import { mailingLimits, type MailingAddresses } from '@pennant/contract/mailings.ts'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { orderedId } from '../../../lib/uuid.ts'
import { millis } from '../../../world/rows.ts'
import type { Receiver } from './receivers.ts'
import type { MailingTexts } from './render.ts'

export interface MailingRow extends MailingTexts {
  readonly id: string
  readonly addresses: z.output<typeof MailingAddresses>
  readonly count: number
  readonly waiting: number
  readonly failed: number
  readonly stopped: boolean
  readonly createdAt: number
  readonly createdBy: string | null
}

const columns = sql`
  id, subject, content, topic, addresses, count, stopped_at is not null as stopped, ${millis('created_at')} as "createdAt",
  (select name from teams where teams.id = created_by) as "createdBy",
  (select count(*)::int from outbox where kind = 'mailing' and payload ->> 'mailing' = mailings.id
    and failed_at is null) as waiting,
  (select count(*)::int from outbox where kind = 'mailing' and payload ->> 'mailing' = mailings.id
    and failed_at is not null) as failed`

/** Newest first. */
export function listMailings(db: Queries): Promise<MailingRow[]> {
  return db.query<MailingRow>(
    sql`select ${columns} from mailings order by created_at desc, id desc limit ${mailingLimits.stored}`,
  )
}

export async function findTexts(db: Queries, id: string): Promise<MailingTexts | null> {
  const [row] = await db.query<MailingTexts>(sql`
    select subject, content, topic from mailings where id = ${id} and stopped_at is null`)
  return row ?? null
}

async function findMailing(db: Queries, id: string): Promise<MailingRow | null> {
  const [row] = await db.query<MailingRow>(sql`select ${columns} from mailings where id = ${id}`)
  return row ?? null
}

export interface NewMailing extends MailingTexts {
  readonly addresses: z.output<typeof MailingAddresses>
  readonly receivers: readonly Receiver[]
  readonly perMinute: number
  readonly now: number
}

/** Stores it and queues its mails, one after the other at the given pace. Null if too many would wait. */
export async function insertMailing(
  db: Database,
  { receivers, perMinute, now, ...texts }: NewMailing,
  by: ActionBy,
): Promise<MailingRow | null> {
  return await db.transaction(async (tx) => {
    // One after the other, so that two at once cannot exceed the limit, and one begins when the other is through.
    await tx.query(sql`lock table mailings in share row exclusive mode`)
    const [queue] = await tx.query<{ count: number; afterMs: number }>(sql`
      select count(*)::int as count,
        greatest(extract(epoch from max(due_at) - clock_timestamp()) * 1000, 0)::float8 as "afterMs"
      from outbox where kind = 'mailing' and failed_at is null`)
    if ((queue?.count ?? 0) + receivers.length > mailingLimits.waiting) return null
    const id = orderedId()
    const { subject, content, topic, addresses } = texts
    await tx.query(sql`
      insert into mailings (id, subject, content, topic, addresses, count, created_by, created_at)
      values (${id}, ${subject}, ${content}, ${topic}, ${addresses}, ${receivers.length}, ${by.actorId},
        to_timestamp(${now} / 1000.0))`)
    await tx.query(sql`
      insert into outbox (id, kind, payload, due_at, created_at)
      select gen_random_uuid(), 'mailing',
        jsonb_build_object('mailing', ${id}::text, 'to', address, 'name', name), due_at, due_at
      from unnest(${receivers.map(({ address }) => address)}::text[], ${receivers.map(({ name }) => name)}::text[])
          with ordinality as t (address, name, at)
        cross join lateral (select clock_timestamp()
          + (${queue?.afterMs ?? 0}::float8 + at * ${60_000 / perMinute}::float8) * interval '1 ms' as due_at) as times`)
    const change = loggedChange(null, { subject, content, topic, addresses, count: receivers.length })
    await tx.query(recordAdminAction({ ...by, ...change, action: 'mailing.create', target: id }))
    return await findMailing(tx, id)
  })
}

export interface TestMail {
  readonly to: string
  readonly name: string
  readonly texts: MailingTexts
}

/** Queues one mail that belongs to no mailing. */
export async function queueTest(db: Database, mail: TestMail, by: ActionBy): Promise<void> {
  const { subject, content } = mail.texts
  const change = loggedChange(null, { subject, content })
  await db.transaction(async (tx) => {
    await tx.query(addToOutbox('mailing', { mailing: null, ...mail }))
    await tx.query(recordAdminAction({ ...by, ...change, action: 'mailing.test', target: null }))
  })
}

/** Withdraws what waits. Null if there is no such mailing. */
export async function stopMailing(db: Database, id: string, by: ActionBy): Promise<MailingRow | null> {
  return await db.transaction(async (tx) => {
    const [stopped] = await tx.query(sql`
      update mailings set stopped_at = clock_timestamp() where id = ${id} and stopped_at is null returning id`)
    if (stopped) {
      const withdrawn = await tx.query(sql`
        delete from outbox where kind = 'mailing' and payload ->> 'mailing' = ${id} and failed_at is null returning 1`)
      const change = loggedChange({ waiting: withdrawn.length }, { waiting: 0 })
      await tx.query(recordAdminAction({ ...by, ...change, action: 'mailing.stop', target: id }))
    }
    return await findMailing(tx, id)
  })
}

export async function readOptOuts(db: Queries): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(sql`select address from mail_opt_outs`)
  return new Set(rows.map(({ address }) => address))
}

export async function hasOptedOut(db: Queries, address: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from mail_opt_outs where address = ${address.toLowerCase()}`)
  return rows.length > 0
}

export async function optOut(db: Queries, address: string, now: number): Promise<void> {
  await db.query(sql`
    insert into mail_opt_outs (address, at) values (${address.toLowerCase()}, to_timestamp(${now} / 1000.0))
    on conflict do nothing`)
}
