import sql, { raw } from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { millis } from '../../../world/rows.ts'
import type { AttemptFact, ChallengeFact, DecoyFact, Facts, MintedFact, SeenFact } from './signals/facts.ts'

/** Rows of one kind that are read. A larger event is computed from its latest rows, and the page says so. */
export const MAX_FACTS = 100_000
/** More teams with the same wrong flag are a mistake that many make, whatever the threshold is. */
const MAX_EQUAL = 20
/** Starts that are kept of one team: `server/src/features/engines/instances/actions.ts`. */
const KEPT_STARTS = 200

/** One snapshot. As for statistics, a computation takes one processor and little memory. */
const LIMITS = raw(
  [
    'set transaction isolation level repeatable read, read only',
    `set local statement_timeout = '30s'`,
    `set local work_mem = '16MB'`,
    'set local max_parallel_workers_per_gather = 0',
    'set local jit = off',
  ].join('; '),
)

export interface ReadFacts {
  readonly facts: Facts
  /** Some rows were left out. */
  readonly isCut: boolean
}

export async function readFacts(db: Database, world: WorldView): Promise<ReadFacts> {
  const players = [...world.teams()].filter(({ perms }) => perms === 0)
  return await db.transaction(async (tx) => {
    await tx.query(LIMITS)
    const reached = await readFirstReached(tx)
    const challenges = world
      .challenges()
      .map((challenge) => challengeFact(challenge, reached.get(challenge.id) ?? Infinity))
    const decoys = await readDecoyFlags(tx)
    const minted = await readMinted(tx)
    const attempts = await readAttempts(
      tx,
      [...decoys, ...minted].map(({ flag }) => flag).concat(challenges.flatMap(({ flags }) => flags)),
    )
    const received = await tx.query<SeenFact>(sql`
      select team_id as "teamId", challenge_id as "challengeId", ${millis('at')} as at from challenge_receipts
      order by at desc limit ${MAX_FACTS}`)
    const [since] = await tx.query<{ at: number }>(
      sql`select ${millis('receipts_since')} as at from fair_play`,
    )
    const started = await tx.query<SeenFact>(sql`
      select team_id as "teamId", challenge_id as "challengeId", ${millis('min(at)')} as at from instance_actions
      where action = 'start' group by team_id, challenge_id order by 3 desc limit ${MAX_FACTS}`)
    const lost = await tx.query<{ id: string }>(sql`
      select team_id as id from instance_actions group by team_id having count(*) >= ${KEPT_STARTS}`)
    const isCut = [attempts, minted, received, started].some(({ length }) => length >= MAX_FACTS)
    const ids = new Set(players.map(({ id }) => id))
    const isPlayer = ({ teamId }: { readonly teamId: string }) => ids.has(teamId)
    return {
      isCut,
      facts: {
        startTime: world.startTime,
        endTime: world.endTime,
        teams: players.map(({ id, createdAt }) => ({ id, createdAt })),
        challenges,
        attempts: attempts.filter((row) => isPlayer(row)).toReversed(),
        minted,
        decoys,
        received,
        // Rows that were left out would look like challenges that were never received.
        receivedSince: received.length >= MAX_FACTS ? null : (since?.at ?? null),
        started,
        startsLost: started.length >= MAX_FACTS ? [...ids] : lost.map(({ id }) => id),
      },
    }
  })
}

/**
 * When anyone demonstrably had the challenge. One that is hidden or released later now may have been open, and its flag would
 * look like one that no team could know.
 */
async function readFirstReached(tx: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: string; at: number }>(sql`
    select challenge_id as id, ${millis('min(at)')} as at from (
      select challenge_id, min(created_at) as at from submissions group by challenge_id
      union all select challenge_id, min(at) from challenge_receipts group by challenge_id
      union all select challenge_id, min(at) from instance_actions group by challenge_id
    ) as reached group by challenge_id`)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

function challengeFact(
  { id, flags, hidden, releaseAt, instancerConfig }: Challenge,
  reachedAt: number,
): ChallengeFact {
  const texts = flags.flatMap(({ config }) => [config['flag'], config['base']])
  const openedAt = Math.min(hidden ? Infinity : (releaseAt ?? 0), reachedAt)
  return {
    id,
    openedAt: openedAt === Infinity ? null : openedAt,
    hasInstances: instancerConfig !== null && flags.every(({ provider }) => provider !== 'flags/static'),
    flags: texts.filter((text) => typeof text === 'string'),
  }
}

/** Newest first: all right flags, and the wrong ones that say something. */
async function readAttempts(tx: Queries, telling: readonly string[]): Promise<AttemptFact[]> {
  return await tx.query<AttemptFact>(sql`
    with equal as materialized (
      select challenge_id, details ->> 'submittedFlag' as text from submissions
      where kind = 'flag' and result = 'incorrect'
      group by 1, 2 having count(distinct team_id) between 2 and ${MAX_EQUAL}
    )
    select id, team_id as "teamId", challenge_id as "challengeId", ${millis('created_at')} as at, ip,
      details ->> 'submittedFlag' as text, result, details ->> 'cheatedFrom' as "ownerId",
      api_token_id as "apiTokenId"
    from submissions s
    where kind = 'flag' and details ->> 'submittedFlag' is not null and (result <> 'incorrect'
      or details ->> 'submittedFlag' = any(${telling}::text[])
      or exists (select from equal e where e.challenge_id = s.challenge_id
        and e.text = s.details ->> 'submittedFlag'))
    order by created_at desc, id desc limit ${MAX_FACTS}`)
}

/** A flag that two teams may have shows nothing and is left out. */
async function readMinted(tx: Queries): Promise<MintedFact[]> {
  return await tx.query<MintedFact>(sql`
    select challenge_id as "challengeId", team_id as "teamId", flag from dynamic_flags
    where not allow_duplicate order by created_at desc limit ${MAX_FACTS}`)
}

function readDecoyFlags(tx: Queries): Promise<DecoyFact[]> {
  return tx.query<DecoyFact>(sql`select id, flag from fair_play_decoys order by id`)
}
