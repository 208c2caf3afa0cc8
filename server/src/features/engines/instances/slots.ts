import sql from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'

// States of a slot, which is a row while the instance may exist:
// - starting (`startingUntil` is in the future): entered by `claimSlot`. Left to running by `finishStart`, to stopping by `beginStop`;
//   after the deadline another start may take it over with a new `startId`.
// - running (no `startingUntil`): entered also by `adoptSlot`, for an instance that only the engine knows. `extendSlot` stays here.
// - stopping (`stoppingSince`): entered by `beginStop`. Left to running by `abandonStop`, to gone by `releaseSlot`.
// - uncertain (`uncertainUntil` is in the future, with any of these): the engine may still carry out a start that timed out, so the
//   slot counts until then. `settleSlot` ends it when the engine confirms the instance.
// - gone: the row is deleted by `releaseSlot`, or by `removeSlotsOfOthers` after the end if the engine is no longer configured.

/** Identifies the capacity slot of one team at one engine. */
export interface SlotKey {
  readonly instancer: string
  readonly teamId: string
  readonly integrationId: string
}

/** A slot owned by one start. If another start takes it over, `startId` changes. */
export interface OwnedSlot extends SlotKey {
  readonly startId: string
}

export interface Slot extends OwnedSlot {
  readonly challengeId: string
  readonly claimedAt: Date
  /** Upper bound for the end of the instance. */
  readonly endsAt: Date
  /** The start is in flight until then; null once it has finished. */
  readonly startingUntil: Date | null
  /** Until then, the engine may still carry out an earlier start whose outcome is unknown. */
  readonly uncertainUntil: Date | null
  /** When the stop was requested. The stop is over if `endsAt` has passed, too. */
  readonly stoppingSince: Date | null
  /** The host on which the engine last listed the instance; null if unknown. */
  readonly host: string | null
  /** Who of the team started it; null for the token of the team itself, and if only the engine knew the instance. */
  readonly personId: string | null
}

export interface SlotLimits {
  /** Limit for all teams and engines together. */
  readonly maxRunning: number
  readonly maxPerTeam: number
}

/** The result of claiming a slot: success, or the reason for refusal. */
export type Claim =
  | {
      readonly kind: 'claimed'
      /** No slot existed before. */
      readonly isNew: boolean
      /** The machine for the instance; null if the engine chooses. */
      readonly host: string | null
    }
  | { readonly kind: 'starting' }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'no machine' }
  | { readonly kind: 'full'; readonly max: number; readonly freesAt: Date }
  | { readonly kind: 'team full'; readonly slots: readonly TeamSlot[] }

export interface TeamSlot {
  readonly challengeId: string
  readonly isStopping: boolean
}

export interface Machine {
  readonly host: string
  readonly max: number
  /** Instances that the engine has, those without a slot included. */
  readonly used: number
}

export interface NewStart extends OwnedSlot {
  /** The machines that respond; null if the engine does not report them. */
  readonly machines?: readonly Machine[] | null
  readonly challengeId: string
  readonly now: number
  readonly endsAt: Date
  readonly startingUntil: Date
  /** The flags that the instance is given. */
  readonly flags?: readonly string[]
  /** Who of the team starts it; null for the token of the team itself. */
  readonly personId?: string | null
}

/** More than a challenge has; an instance that is started again keeps the flags of its earlier start. */
const MAX_FLAGS = 200

/** Advisory lock that serializes claims, so that the limits hold. The number is arbitrary and unique. */
const LOCK = 7_310_994_201

/**
 * Claims the slot unless another call is working on it or a limit is reached. A slot counts as long as its
 * row exists, even after the instance should have ended.
 */
export function claimSlot(
  db: Database,
  start: NewStart,
  { maxRunning, maxPerTeam }: SlotLimits,
): Promise<Claim> {
  const {
    instancer,
    teamId,
    integrationId,
    challengeId,
    startId,
    endsAt,
    startingUntil,
    flags = [],
    personId = null,
  } = start
  const now = new Date(start.now)
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    const [own] = await tx.query<{ isStarting: boolean; isStopping: boolean; host: string | null }>(sql`
      select coalesce(starting_until > ${now}, false) as "isStarting",
        stopping_since is not null and ends_at > ${now} as "isStopping", host
      from instance_slots where ${keyIs(start)}`)
    if (own?.isStopping) return { kind: 'stopping' }
    if (own?.isStarting) return { kind: 'starting' }
    const free = await freeMachine(tx, start)
    if (own) {
      const host = free.kind === 'claimed' ? free.host : own.host
      await tx.query(sql`
        update instance_slots set start_id = ${startId}, starting_until = ${startingUntil}, host = ${host},
          queued_at = ${now}, flags = array(select distinct flag from unnest(flags || ${flags}::text[]) as flag limit ${MAX_FLAGS}),
          stopping_since = null, ends_at = greatest(ends_at, ${endsAt}), person_id = ${personId}
        where ${keyIs(start)}`)
      return { kind: 'claimed', isNew: false, host }
    }
    const ofTeam = await tx.query<TeamSlot>(sql`
      select challenge_id as "challengeId", stopping_since is not null as "isStopping"
      from instance_slots where team_id = ${teamId} order by claimed_at`)
    if (ofTeam.length >= maxPerTeam) return { kind: 'team full', slots: ofTeam }
    const [counts] = await tx.query<{ all: number; freesAt: Date | null }>(sql`
      select count(*)::int as "all", min(ends_at) as "freesAt" from instance_slots`)
    if ((counts?.all ?? 0) >= maxRunning)
      return { kind: 'full', max: maxRunning, freesAt: counts?.freesAt ?? now }
    if (free.kind !== 'claimed') return free
    await tx.query(sql`
      insert into instance_slots
        (instancer, team_id, integration_id, challenge_id, claimed_at, ends_at, start_id, starting_until, host,
          queued_at, flags, person_id)
      values (${instancer}, ${teamId}, ${integrationId}, ${challengeId}, ${now}, ${endsAt}, ${startId},
        ${startingUntil}, ${free.host}, ${now}, ${flags}::text[], ${personId})`)
    return { ...free, isNew: true }
  })
}

/**
 * The machine with the lowest share in use. A slot whose machine is unknown counts on each of them. Only slots
 * are read under the lock: the numbers of the engine may be older, but include instances without a slot.
 */
async function freeMachine(
  tx: Queries,
  { machines, now, ...key }: NewStart,
): Promise<Extract<Claim, { kind: 'claimed' | 'full' | 'no machine' }>> {
  if (!machines) return { kind: 'claimed', isNew: false, host: null }
  const slots = await tx.query<{ host: string | null; count: number; freesAt: Date }>(sql`
    select host, count(*)::int as count, min(ends_at) as "freesAt" from instance_slots
    where instancer = ${key.instancer} and not (${keyIs(key)}) group by host`)
  const countOn = (host: string) =>
    slots.filter((row) => row.host === host || row.host === null).reduce((sum, { count }) => sum + count, 0)
  const loads = machines.map(({ host, max, used }) => ({ host, load: Math.max(countOn(host), used) / max }))
  const [best] = loads.filter(({ load }) => load < 1).toSorted((a, b) => a.load - b.load)
  if (best) return { kind: 'claimed', isNew: false, host: best.host }
  if (machines.length === 0) return { kind: 'no machine' }
  const ends = slots.map(({ freesAt }) => freesAt.getTime())
  const max = machines.reduce((sum, machine) => sum + machine.max, 0)
  return { kind: 'full', max, freesAt: new Date(ends.length > 0 ? Math.min(...ends) : now) }
}

function keyIs({ instancer, teamId, integrationId }: SlotKey) {
  return sql`instancer = ${instancer} and team_id = ${teamId} and integration_id = ${integrationId}`
}

function isOwned(slot: OwnedSlot) {
  return sql`${keyIs(slot)} and start_id = ${slot.startId}`
}

/**
 * Extends the deadline of the start. False if it was stopped or timed out: it must not create the instance
 * then.
 */
export async function renewStart(
  db: Queries,
  slot: OwnedSlot,
  { now, startingUntil }: { readonly now: number; readonly startingUntil: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update instance_slots set starting_until = ${startingUntil}, queued_at = null
    where ${isOwned(slot)} and stopping_since is null and starting_until > ${new Date(now)} returning 1`)
  return rows.length > 0
}

/**
 * Records that the start has finished. If `uncertainUntil` is given, the outcome is unknown until then.
 * Resolves to `stopping` if the instance was stopped meanwhile, to `superseded` if another start owns the
 * slot, and to `lost` if there is no slot.
 */
export async function finishStart(
  db: Queries,
  slot: OwnedSlot,
  uncertainUntil: Date | null,
): Promise<'started' | 'stopping' | 'superseded' | 'lost'> {
  const [own] = await db.query<{ isStopping: boolean }>(sql`
    update instance_slots set starting_until = null, queued_at = null, uncertain_until = greatest(uncertain_until, ${uncertainUntil})
    where ${isOwned(slot)}
    returning stopping_since is not null as "isStopping"`)
  if (own) return own.isStopping ? 'stopping' : 'started'
  const others = await db.query(sql`select 1 from instance_slots where ${keyIs(slot)}`)
  return others.length > 0 ? 'superseded' : 'lost'
}

export interface PendingStart {
  readonly isStopping: boolean
  /** From 1, among the starts of all processes; null once the start has begun. */
  readonly queuePosition: number | null
}

/** The start in flight, or null. */
export async function findPendingStart(db: Queries, key: SlotKey, now: number): Promise<PendingStart | null> {
  const at = new Date(now)
  const [pending = null] = await db.query<PendingStart>(sql`
    select stopping_since is not null as "isStopping",
      case when queued_at is not null then (
        select count(*)::int from instance_slots as other
        where other.queued_at <= own.queued_at and other.starting_until > ${at})
      end as "queuePosition"
    from instance_slots as own where ${keyIs(key)} and starting_until > ${at}`)
  return pending
}

/** Whether the team's instance of the challenge was given this flag and may still run. */
export async function isFlagOfInstance(
  db: Queries,
  {
    teamId,
    challengeId,
    flag,
  }: { readonly teamId: string; readonly challengeId: string; readonly flag: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from instance_slots
    where team_id = ${teamId} and challenge_id = ${challengeId} and ${flag} = any(flags) limit 1`)
  return rows.length > 0
}

/** Marks the instance as stopping. Null if there is no slot. */
export async function beginStop(
  db: Queries,
  key: SlotKey,
  now: number,
): Promise<{ readonly startId: string; readonly isStarting: boolean } | null> {
  const [slot = null] = await db.query<{ startId: string; isStarting: boolean }>(sql`
    update instance_slots set stopping_since = coalesce(stopping_since, ${new Date(now)}) where ${keyIs(key)}
    returning start_id as "startId", coalesce(starting_until > ${new Date(now)}, false) as "isStarting"`)
  return slot
}

/** The stop failed. Clears the mark, so that the instance can be started and stopped again. */
export async function abandonStop(db: Queries, slot: OwnedSlot): Promise<void> {
  await db.query(sql`update instance_slots set stopping_since = null where ${isOwned(slot)}`)
}

/** Extends the lifetime of the slot. False if the instance is being stopped. */
export async function extendSlot(db: Queries, key: SlotKey, endsAt: Date): Promise<boolean> {
  const [slot] = await db.query<{ isStopping: boolean }>(sql`
    update instance_slots set ends_at = greatest(ends_at, ${endsAt}) where ${keyIs(key)}
    returning stopping_since is not null as "isStopping"`)
  return !slot?.isStopping
}

/** Replaces the end with the one that the engine reports. */
export async function correctEnd(db: Queries, slot: OwnedSlot, endsAt: Date): Promise<void> {
  await db.query(sql`update instance_slots set ends_at = ${endsAt} where ${isOwned(slot)}`)
}

/**
 * The instance is gone. Does nothing if another start owns the slot. While the outcome of an earlier start is unknown, the
 * slot stays, but its stop is over, so the team can start the instance again.
 */
export async function releaseSlot(db: Queries, slot: OwnedSlot, now: number): Promise<void> {
  const at = new Date(now)
  await db.query(sql`
    with released as (
      delete from instance_slots
      where ${isOwned(slot)} and (uncertain_until is null or uncertain_until <= ${at}))
    update instance_slots set ends_at = least(ends_at, ${at})
    where ${isOwned(slot)} and uncertain_until > ${at} and stopping_since is not null`)
}

/** The engine confirmed the instance, and no start is in flight. */
export async function settleSlot(db: Queries, slot: OwnedSlot): Promise<void> {
  await db.query(sql`
    update instance_slots set starting_until = null, uncertain_until = null where ${isOwned(slot)}`)
}

/** All slots, oldest first. The capacity limit bounds their number. */
export function listSlots(db: Queries): Promise<Slot[]> {
  return db.query<Slot>(sql`
    select instancer, team_id as "teamId", integration_id as "integrationId", challenge_id as "challengeId",
      claimed_at as "claimedAt", ends_at as "endsAt", start_id as "startId", starting_until as "startingUntil",
      uncertain_until as "uncertainUntil", stopping_since as "stoppingSince", host, person_id as "personId"
    from instance_slots order by claimed_at, team_id`)
}

/** Adds a slot for an instance that only the engine knows. An existing slot is not changed. */
export async function adoptSlot(
  db: Queries,
  slot: Omit<Slot, 'startingUntil' | 'uncertainUntil' | 'stoppingSince' | 'host' | 'personId'> &
    Partial<Pick<Slot, 'host'>>,
): Promise<void> {
  const { instancer, teamId, integrationId, challengeId, claimedAt, endsAt, startId, host = null } = slot
  await db.query(sql`
    insert into instance_slots
      (instancer, team_id, integration_id, challenge_id, claimed_at, ends_at, start_id, starting_until, host)
    values (${instancer}, ${teamId}, ${integrationId}, ${challengeId}, ${claimedAt}, ${endsAt}, ${startId}, null, ${host})
    on conflict (instancer, team_id, integration_id) do nothing`)
}

export async function recordHost(db: Queries, slot: OwnedSlot, host: string): Promise<void> {
  await db.query(sql`update instance_slots set host = ${host} where ${isOwned(slot)}`)
}

/**
 * Instances of engines that were removed from the configuration cannot be checked. Their slots are released
 * when they end.
 */
export async function removeSlotsOfOthers(
  db: Queries,
  instancers: readonly string[],
  now: number,
): Promise<void> {
  await db.query(
    sql`delete from instance_slots where ends_at <= ${new Date(now)} and instancer <> all(${instancers}::text[])`,
  )
}
