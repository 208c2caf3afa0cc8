import sql, { empty } from 'sql-template-tag'
import type { Database, Queries } from '../db/database.ts'
import { WORLD_CHANNEL } from '../world/sync/follower.ts'
import type { WorldView } from '../world/model.ts'
import type { Job } from './job.ts'
import { ranksOf, type RankedSolve, type UnrankedSolve } from './ranks.ts'

export interface RanksDeps {
  readonly db: Database
  readonly world: () => WorldView
}

/** Solves per statement, and maximum statements for new solves per tick. */
const PAGE_LENGTH = 1000
const MAX_PAGES = 5

interface Cursor {
  /** Whole microseconds, which a JavaScript number represents exactly, unlike the database's fractional seconds. */
  readonly micros: number
  readonly id: string
}

type UnrankedRow = UnrankedSolve & Cursor

const START: Cursor = { micros: 0, id: '00000000-0000-0000-0000-000000000000' }

/**
 * Records the ranks that the world computed for solves, once per solve, in one batch per tick. Solves that do not
 * count get no rank. Each tick continues where the last one stopped, and rechecks one page of the skipped solves only
 * if a change may have made them count. So thousands of practice solves after the end cost nothing.
 */
export function ranksJob({ db, world }: RanksDeps): Job {
  let newest = START
  let recheckedTo = START
  let checkedWorld: WorldView | null = null
  let checkedState = ''

  async function rankNew(): Promise<RankedSolve[]> {
    const ranked: RankedSolve[] = []
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const rows = await listUnranked(db, newest)
      // Solves that this process has not folded yet are picked up by the next tick.
      const unseen = rows.findIndex(({ challengeId, teamId }) => !world().solve(challengeId, teamId))
      const seen = unseen === -1 ? rows : rows.slice(0, unseen)
      ranked.push(...ranksOf(world(), seen))
      newest = seen.at(-1) ?? newest
      if (seen.length < PAGE_LENGTH) break
    }
    return ranked
  }

  async function recheckSkipped(): Promise<RankedSolve[]> {
    const state = stateOf(world())
    const isFullPass = recheckedTo === START
    if (isFullPass && checkedWorld === world() && checkedState === state) return []
    if (isFullPass) {
      checkedWorld = world()
      checkedState = state
    }
    const rows = await listUnranked(db, recheckedTo, newest)
    recheckedTo = (rows.length === PAGE_LENGTH ? rows.at(-1) : undefined) ?? START
    return ranksOf(world(), rows)
  }

  return {
    name: 'ranks',
    channel: WORLD_CHANNEL,
    everyMs: 1000,
    // Under load each batch of submissions wakes this job, and its writes queue behind them.
    restMs: 250,
    async run() {
      const old = newest === START ? [] : await recheckSkipped()
      const ranked = new Map([...old, ...(await rankNew())].map((solve) => [solve.id, solve]))
      if (ranked.size > 0) await recordRanks(db, [...ranked.values()])
    },
  }
}

/** Changes whenever a solve may have begun to count. */
function stateOf({ versions, endTime }: WorldView): string {
  return [versions.board, versions.challenges, versions.settings, endTime].join(' ')
}

function listUnranked(db: Queries, after: Cursor, upTo?: Cursor): Promise<UnrankedRow[]> {
  const instant = ({ micros }: Cursor) =>
    sql`timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond'`
  const bound = upTo ? sql`and (created_at, id) <= (${instant(upTo)}, ${upTo.id}::uuid)` : empty
  return db.query<UnrankedRow>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId",
      (extract(epoch from created_at) * 1000000)::float8 as micros
    from solves
    where global_place is null and (created_at, id) > (${instant(after)}, ${after.id}::uuid) ${bound}
    order by created_at, id limit ${PAGE_LENGTH}`)
}

async function recordRanks(db: Database, ranked: readonly RankedSolve[]): Promise<void> {
  await db.change(async (tx) => {
    const rows = await tx.query<{ challengeId: string; teamId: string }>(sql`
      update solves set global_place = ranked.global_place, division_place = ranked.division_place
      from unnest(${ranked.map((solve) => solve.id)}::uuid[], ${ranked.map((solve) => solve.globalRank)}::int[],
        ${ranked.map((solve) => solve.divisionRank)}::int[]) as ranked (id, global_place, division_place)
      where solves.id = ranked.id and solves.global_place is null
      returning solves.challenge_id as "challengeId", solves.team_id as "teamId"`)
    const pairs = rows.flatMap(({ challengeId, teamId }) => [challengeId, teamId])
    if (pairs.length > 0) tx.changed('solves', pairs)
  })
}
