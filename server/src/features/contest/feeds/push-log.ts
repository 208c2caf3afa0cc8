import { PUSHED_SCORES } from '@pennant/contract/actions.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'

// Traces of pushed scores in the action log. A feed may push every second, so the first push of a sender has an entry at once,
// and those after it share one for each interval: docs/reference/actions.md

export interface PushCounts {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
}

interface PushOrigin {
  readonly challengeId: string
  readonly ip: string
  /** Unix milliseconds. */
  readonly at: number
}

const LOG_INTERVAL_MS = 10 * MINUTE_MS
/** A backend has one address, or a few. The holder of a secret with many addresses must not fill the log. */
const MAX_SENDERS = 20
const OTHER_SENDERS = 'others'

/** Called in the transaction of a push that changed something. */
export async function logPush(tx: Queries, origin: PushOrigin, counts: PushCounts): Promise<void> {
  const { challengeId, at } = origin
  const sender = addressKey(origin.ip)
  const { inserted, updated, deleted } = counts
  const [row] = await tx.query<{ isFirst: boolean; ip: string }>(sql`
    insert into unlogged_pushes as u (challenge_id, ip, logged_at, pushes, inserted, updated, deleted)
    select ${challengeId}, case when count(*) < ${MAX_SENDERS} or bool_or(ip = ${sender}) then ${sender}
      else ${OTHER_SENDERS} end, ${new Date(at)}, 0, 0, 0, 0
    from unlogged_pushes where challenge_id = ${challengeId}
    on conflict (challenge_id, ip) do update set pushes = u.pushes + 1, inserted = u.inserted + ${inserted},
      updated = u.updated + ${updated}, deleted = u.deleted + ${deleted}
    returning pushes = 0 as "isFirst", ip`)
  if (row?.isFirst) await record(tx, { challengeId, ip: row.ip }, { pushes: 1, ...counts })
}

/** A job of the worker: writes the entries whose interval is over. */
export function pushLogJob({ db, now }: { readonly db: Database; readonly now: () => number }) {
  return {
    name: 'action log of pushed scores',
    everyMs: MINUTE_MS,
    async run(): Promise<void> {
      const due = sql`logged_at <= ${new Date(now() - LOG_INTERVAL_MS)}`
      const [any] = await db.query(sql`select from unlogged_pushes where ${due} limit 1`)
      if (any) await db.change((tx) => logDuePushes(tx, now()))
    },
  }
}

interface Unlogged extends PushCounts {
  readonly challengeId: string
  readonly ip: string
  readonly pushes: number
  readonly since: number
}

async function logDuePushes(tx: ChangeTransaction, at: number): Promise<void> {
  const due = sql`logged_at <= ${new Date(at - LOG_INTERVAL_MS)}`
  // The next push of a sender that has stopped gets its entry at once again.
  await tx.query(sql`delete from unlogged_pushes where ${due} and pushes = 0`)
  const rows = await tx.query<Unlogged>(sql`
    with due as (select * from unlogged_pushes where ${due} for update)
    update unlogged_pushes u set logged_at = ${new Date(at)}, pushes = 0, inserted = 0, updated = 0, deleted = 0
    from due where u.challenge_id = due.challenge_id and u.ip = due.ip
    returning due.challenge_id as "challengeId", due.ip, due.pushes, due.inserted, due.updated, due.deleted,
      (extract(epoch from due.logged_at) * 1000)::float8 as since`)
  for (const { challengeId, ip, ...counts } of rows) await record(tx, { challengeId, ip }, counts)
}

async function record(
  tx: Queries,
  { challengeId, ip }: Omit<PushOrigin, 'at'>,
  counts: PushCounts & { readonly pushes: number; readonly since?: number },
): Promise<void> {
  const by = { actorId: null, actorName: PUSHED_SCORES, ip: ip === OTHER_SENDERS ? null : ip }
  const change = loggedChange(null, { ...counts })
  await tx.query(recordAdminAction({ ...by, ...change, action: 'scores.push', target: challengeId }))
}
