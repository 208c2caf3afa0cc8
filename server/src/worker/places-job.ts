import sql, { empty } from 'sql-template-tag'
import type { Database, Queries } from '../db/database.ts'
import { worldChannel } from '../world/follower.ts'
import type { WorldView } from '../world/model.ts'
import type { Job } from './job.ts'
import { placesOf, type Placed, type Unplaced } from './places.ts'

export interface PlacesDeps {
  readonly db: Database
  readonly world: () => WorldView
}

/** Solves of one statement, and how many statements of new ones a tick has. */
const pageLength = 1000
const mostPages = 5

interface Cursor {
  /** Whole microseconds: exact as a number, unlike the database's own fractions of a second. */
  readonly micros: number
  readonly id: string
}

type UnplacedRow = Unplaced & Cursor

const start: Cursor = { micros: 0, id: '00000000-0000-0000-0000-000000000000' }

/**
 * Records places on solves once, in one batch per tick (contract, ruling 13). Solves that do not count stay without:
 * each tick goes on from where the last one saw new ones, and looks through one page of those left behind, as long as
 * something changed that may have made them count. So thousands of practice solves after the end cost nothing.
 */
export function placesJob({ db, world }: PlacesDeps): Job {
  let newest = start
  let revisited = start
  let lookedAt: WorldView | null = null
  let lookedState = ''

  async function findNew(): Promise<Placed[]> {
    const placed: Placed[] = []
    for (let page = 0; page < mostPages; page += 1) {
      const rows = await listUnplaced(db, newest)
      // A solve that this process has not folded yet is seen again next time.
      const unseen = rows.findIndex(({ challengeId, teamId }) => !world().solve(challengeId, teamId))
      const seen = unseen === -1 ? rows : rows.slice(0, unseen)
      placed.push(...placesOf(world(), seen))
      newest = seen.at(-1) ?? newest
      if (seen.length < pageLength) break
    }
    return placed
  }

  async function revisitOld(): Promise<Placed[]> {
    const state = stateOf(world())
    const isRound = revisited === start
    if (isRound && lookedAt === world() && lookedState === state) return []
    if (isRound) {
      lookedAt = world()
      lookedState = state
    }
    const rows = await listUnplaced(db, revisited, newest)
    revisited = (rows.length === pageLength ? rows.at(-1) : undefined) ?? start
    return placesOf(world(), rows)
  }

  return {
    name: 'places',
    channel: worldChannel,
    everyMs: 1000,
    // In the rush each batch of submissions wakes it; its writes wait in line with them.
    restMs: 250,
    async run() {
      const old = newest === start ? [] : await revisitOld()
      const placed = new Map([...old, ...(await findNew())].map((solve) => [solve.id, solve]))
      if (placed.size > 0) await recordPlaces(db, [...placed.values()])
    },
  }
}

/** Changes whenever a solve may have begun to count. */
function stateOf({ versions, endTime }: WorldView): string {
  return [versions.board, versions.challenges, versions.settings, endTime].join(' ')
}

function listUnplaced(db: Queries, after: Cursor, upTo?: Cursor): Promise<UnplacedRow[]> {
  const instant = ({ micros }: Cursor) =>
    sql`timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond'`
  const bound = upTo ? sql`and (created_at, id) <= (${instant(upTo)}, ${upTo.id}::uuid)` : empty
  return db.query<UnplacedRow>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId",
      (extract(epoch from created_at) * 1000000)::float8 as micros
    from solves
    where global_place is null and (created_at, id) > (${instant(after)}, ${after.id}::uuid) ${bound}
    order by created_at, id limit ${pageLength}`)
}

async function recordPlaces(db: Database, placed: readonly Placed[]): Promise<void> {
  await db.change(async (tx) => {
    const rows = await tx.query<{ challengeId: string; teamId: string }>(sql`
      update solves set global_place = placed.global_place, division_place = placed.division_place
      from unnest(${placed.map((solve) => solve.id)}::uuid[], ${placed.map((solve) => solve.globalPlace)}::int[],
        ${placed.map((solve) => solve.divisionPlace)}::int[]) as placed (id, global_place, division_place)
      where solves.id = placed.id and solves.global_place is null
      returning solves.challenge_id as "challengeId", solves.team_id as "teamId"`)
    const pairs = rows.flatMap(({ challengeId, teamId }) => [challengeId, teamId])
    if (pairs.length > 0) tx.changed('solves', pairs)
  })
}
