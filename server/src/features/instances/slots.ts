import sql from 'sql-template-tag'
import type { Database, Queries } from '../../db/database.ts'

/** One team's place at one engine. */
export interface SlotKey {
  readonly instancer: string
  readonly teamId: string
  readonly integrationId: string
}

export interface Slot extends SlotKey {
  readonly challengeId: string
  readonly claimedAt: Date
  readonly endsAt: Date
}

export interface SlotLimits {
  /** Instances of all teams at all engines. */
  readonly maxRunning: number
  readonly maxPerTeam: number
}

/** Whether the place was free, was the team's already, or why there is none. */
export type Claim =
  | { readonly kind: 'claimed' | 'held' }
  | { readonly kind: 'full'; readonly freesAt: Date }
  | { readonly kind: 'team full'; readonly challengeIds: readonly string[] }

/** Any number that nobody else uses: the lock of this table's counting. */
const LOCK = 7_310_994_201

/** Takes a place if the limits leave one. Claims of all processes are counted one after the other. */
export function claimSlot(
  db: Database,
  slot: Omit<Slot, 'claimedAt'> & { readonly now: number },
  { maxRunning, maxPerTeam }: SlotLimits,
): Promise<Claim> {
  const { instancer, teamId, integrationId, challengeId, endsAt } = slot
  const now = new Date(slot.now)
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    const [counts] = await tx.query<{ all: number; frees_at: Date | null; held: boolean }>(sql`
      select count(*)::int as "all", min(ends_at) as frees_at,
        coalesce(bool_or(instancer = ${instancer} and team_id = ${teamId} and integration_id = ${integrationId}), false)
          as held
      from instance_slots where ends_at > ${now}`)
    if (counts?.held) {
      await tx.query(sql`
        update instance_slots set ends_at = greatest(ends_at, ${endsAt}) where ${keyIs(slot)}`)
      return { kind: 'held' }
    }
    const own = await tx.query<{ challengeId: string }>(sql`
      select challenge_id as "challengeId" from instance_slots where team_id = ${teamId} and ends_at > ${now}`)
    if (own.length >= maxPerTeam)
      return { kind: 'team full', challengeIds: own.map((row) => row.challengeId) }
    if ((counts?.all ?? 0) >= maxRunning) return { kind: 'full', freesAt: counts?.frees_at ?? now }
    await tx.query(sql`
      insert into instance_slots (instancer, team_id, integration_id, challenge_id, claimed_at, ends_at)
      values (${instancer}, ${teamId}, ${integrationId}, ${challengeId}, ${now}, ${endsAt})
      on conflict (instancer, team_id, integration_id)
        do update set challenge_id = excluded.challenge_id, claimed_at = excluded.claimed_at, ends_at = excluded.ends_at`)
    return { kind: 'claimed' }
  })
}

function keyIs({ instancer, teamId, integrationId }: SlotKey) {
  return sql`instancer = ${instancer} and team_id = ${teamId} and integration_id = ${integrationId}`
}

/** Moves the end of a place that is still there. */
export async function renewSlot(db: Queries, key: SlotKey, endsAt: Date): Promise<void> {
  await db.query(sql`update instance_slots set ends_at = ${endsAt} where ${keyIs(key)}`)
}

export async function releaseSlot(db: Queries, key: SlotKey): Promise<void> {
  await db.query(sql`delete from instance_slots where ${keyIs(key)}`)
}

/** All that are not over, the oldest first. Their number is bounded by the limit. */
export function listSlots(db: Queries, now: number): Promise<Slot[]> {
  return db.query<Slot>(sql`
    select instancer, team_id as "teamId", integration_id as "integrationId", challenge_id as "challengeId",
      claimed_at as "claimedAt", ends_at as "endsAt"
    from instance_slots where ends_at > ${new Date(now)} order by claimed_at, team_id`)
}

/** Takes in an instance that the engine has and the book has not; a place that is there stays as it is. */
export async function adoptSlot(
  db: Queries,
  { instancer, teamId, integrationId, ...slot }: Slot,
): Promise<void> {
  const { challengeId, claimedAt, endsAt } = slot
  await db.query(sql`
    insert into instance_slots (instancer, team_id, integration_id, challenge_id, claimed_at, ends_at)
    values (${instancer}, ${teamId}, ${integrationId}, ${challengeId}, ${claimedAt}, ${endsAt})
    on conflict (instancer, team_id, integration_id) do nothing`)
}

export async function removeOverSlots(db: Queries, now: number): Promise<void> {
  await db.query(sql`delete from instance_slots where ends_at <= ${new Date(now)}`)
}
