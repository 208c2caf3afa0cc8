import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { addAllToOutbox } from '../../../db/outbox.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { NewAnswer } from '../../site/custom-fields/store.ts'
import type { Collision } from '../teams/collision.ts'
import { insertTeams } from '../teams/new-teams.ts'
import { countTeams } from './admission.ts'
import { returnCodes } from './codes.ts'
import type { Declaration } from '../tracks/rules.ts'

export interface Request {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly extrankId: string | null
  readonly codeId: string | null
  /** Answers to the fields of teams; null without any, and once it is decided. */
  readonly fields: readonly NewAnswer[] | null
  readonly declared: Declaration | null
  readonly waitsFor: 'approval' | 'place'
  readonly state: 'waiting' | 'approved' | 'refused'
  readonly reason: string | null
  readonly teamId: string | null
  readonly createdAt: number
  readonly decidedAt: number | null
}

const columns = sql`id, name, email, division, extrank_id as "extrankId", code_id as "codeId", fields, declared,
  waits_for as "waitsFor", state, reason, team_id as "teamId",
  (extract(epoch from created_at) * 1000)::float8 as "createdAt",
  (extract(epoch from decided_at) * 1000)::float8 as "decidedAt"`

/** Mail to applicants. Null if mail is not configured. */
export interface DecisionMails {
  /** A sign-in link. */
  readonly tokenOf: (teamId: string) => string
}

interface Page {
  readonly state: Request['state']
  readonly limit: number
  readonly offset: number
}

export async function listRequests(db: Queries, { state, limit, offset }: Page) {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from registration_requests where state = ${state}`,
  )
  const order = state === 'waiting' ? sql`n` : sql`decided_at desc, n`
  const requests = await db.query<Request>(sql`
    select ${columns} from registration_requests where state = ${state}
    order by ${order} limit ${limit} offset ${offset}`)
  return { total: count?.total ?? 0, requests, teams: await countTeams(db) }
}

export interface Decision {
  readonly decided: string[]
  readonly problems: { readonly id: string; readonly problem: Collision | 'decided' }[]
}

async function lockWaiting(tx: Queries, ids: readonly string[]): Promise<Request[]> {
  return await tx.query<Request>(sql`
    select ${columns} from registration_requests
    where id = any(${ids}::text[]) and state = 'waiting' order by n for update`)
}

function missingOf(ids: readonly string[], requests: readonly Request[]): Decision['problems'] {
  const found = new Set(requests.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !found.has(id)).map((id) => ({ id, problem: 'decided' }))
}

/** Creates the teams of requests; those that collide with a team go on waiting. */
async function createRequested(
  tx: ChangeTransaction,
  requests: readonly Request[],
  mails: DecisionMails | null,
): Promise<Decision & { readonly teams: { id: string; name: string; division: string }[] }> {
  const teams = requests.map((request) => ({ ...request, id: randomId(), perms: 0, requestId: request.id }))
  const collisions = await insertTeams(tx, teams)
  const created = teams.filter((_, at) => collisions[at] === null)
  const problems = teams.flatMap(({ requestId }, at) => {
    const problem = collisions[at]
    return problem ? [{ id: requestId, problem }] : []
  })
  await tx.query(sql`
    update registration_requests set state = 'approved', team_id = t.team_id, fields = null,
      decided_at = date_trunc('milliseconds', clock_timestamp())
    from unnest(${created.map(({ requestId }) => requestId)}::text[], ${created.map(({ id }) => id)}::text[]) as t (id, team_id)
    where registration_requests.id = t.id`)
  const mailed = created.flatMap(({ email, id }) => (email === null ? [] : [{ to: email, id }]))
  if (mails && mailed.length > 0)
    await tx.query(
      addAllToOutbox(
        'mail',
        mailed.map(({ to, id }) => ({ kind: 'approved', to, token: mails.tokenOf(id) })),
      ),
    )
  return { decided: created.map(({ requestId }) => requestId), problems, teams: created }
}

export async function approve(
  db: Database,
  ids: readonly string[],
  { mails, ...by }: ActionBy & { readonly mails: DecisionMails | null },
): Promise<Decision> {
  return await db.change(async (tx) => {
    const requests = await lockWaiting(tx, ids)
    const { decided, problems, teams } = await createRequested(tx, requests, mails)
    for (const { id, name, division } of teams) {
      const change = loggedChange(null, { name, division })
      // oxlint-disable-next-line no-await-in-loop
      await tx.query(recordAdminAction({ ...by, ...change, action: 'registration.approve', target: id }))
    }
    return { decided, problems: [...missingOf(ids, requests), ...problems] }
  })
}

export async function refuse(
  db: Database,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  { hasMail, ...by }: ActionBy & { readonly hasMail: boolean },
): Promise<Decision> {
  return await db.transaction(async (tx) => {
    const requests = await lockWaiting(tx, ids)
    const decided = requests.map(({ id }) => id)
    await tx.query(sql`
      update registration_requests set state = 'refused', reason = ${reason || null}, fields = null,
        decided_at = date_trunc('milliseconds', clock_timestamp())
      where id = any(${decided}::text[])`)
    await returnCodes(
      tx,
      requests.flatMap(({ codeId }) => codeId ?? []),
    )
    const addresses = requests.flatMap(({ email }) => email ?? [])
    if (hasMail && addresses.length > 0)
      await tx.query(
        addAllToOutbox(
          'mail',
          addresses.map((to) => ({ kind: 'refused', to, reason })),
        ),
      )
    for (const { id, name, division } of requests) {
      const change = loggedChange(
        { name, division, state: 'waiting', reason: null },
        { name, division, state: 'refused', reason },
      )
      // oxlint-disable-next-line no-await-in-loop
      await tx.query(recordAdminAction({ ...by, ...change, action: 'registration.refuse', target: id }))
    }
    return { decided, problems: missingOf(ids, requests) }
  })
}

/** One statement each; the change lock is held meanwhile. */
const MAX_PROMOTED = 256

/** Gives free places to those who wait for one, in their order. Returns the number of new teams. */
export async function giveFreePlaces(
  db: Database,
  maxTeams: number | null,
  mails: DecisionMails | null,
): Promise<number> {
  return await db.change(async (tx) => {
    const free = maxTeams === null ? MAX_PROMOTED : Math.min(MAX_PROMOTED, maxTeams - (await countTeams(tx)))
    if (free <= 0) return 0
    const requests = await tx.query<Request>(sql`
      select ${columns} from registration_requests where state = 'waiting' and waits_for = 'place'
      order by n limit ${free} for update`)
    const { problems, decided } = await createRequested(tx, requests, mails)
    // Another team has taken the name since. Organisers decide, and the others move up.
    await tx.query(sql`
      update registration_requests set waits_for = 'approval'
      where id = any(${problems.map(({ id }) => id)}::text[])`)
    return decided.length
  })
}

/** What the applicant sees. Null for an unknown token. */
export async function findByToken(db: Queries, token: string) {
  const [row] = await db.query<Request & { position: number }>(sql`
    select ${columns}, (select count(*)::int from registration_requests as before
      where before.state = 'waiting' and before.waits_for = registration_requests.waits_for
        and before.n <= registration_requests.n) as position
    from registration_requests where token_hash = ${secretHash(token)}`)
  return row ?? null
}

/**
 * Takes the token of an approved request and returns the team, once. Null if the team has become one of organisers, or has
 * signed out everywhere: this token would be older.
 */
export async function claim(db: Queries, token: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    update registration_requests set token_hash = null
    from teams
    where token_hash = ${secretHash(token)} and state = 'approved' and teams.id = team_id
      and teams.perms = 0 and teams.tokens_valid_from is null
    returning teams.id`)
  return row?.id ?? null
}
