import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { Challenge } from '../../../world/model.ts'

// When a team first received a challenge. Reads only note it in memory; a timer writes what was noted.

/** Rows that wait. More are dropped until the next flush: then a challenge counts as received later. */
const MAX_WAITING = 50_000
/** Teams that are remembered, so that most reads cost one lookup. */
const MAX_TEAMS = 20_000
/** Rows per statement. */
const BATCH = 5_000

export interface Receipt {
  readonly teamId: string
  readonly challengeId: string
  readonly at: number
}

export interface Receipts {
  /** The team was sent these challenges. The list is the same object until a challenge changes. */
  note(teamId: string, challenges: readonly Challenge[]): void
  /** Writes what waits. What fails to be written waits again. */
  flush(db: Queries): Promise<void>
}

export function createReceipts(now: () => number): Receipts {
  /** The list that each team was sent last, and the ids that it was sent before. */
  const teams = new Map<string, { list: readonly Challenge[]; readonly ids: Set<string> }>()
  let waiting: Receipt[] = []
  return {
    note(teamId, challenges) {
      const known = teams.get(teamId)
      if (known?.list === challenges) return
      if (waiting.length >= MAX_WAITING) return
      if (!known && teams.size >= MAX_TEAMS) teams.clear()
      const ids = known?.ids ?? new Set<string>()
      const at = now()
      for (const { id } of challenges) {
        if (ids.has(id)) continue
        ids.add(id)
        waiting.push({ teamId, challengeId: id, at })
      }
      teams.set(teamId, { list: challenges, ids })
    },

    async flush(db) {
      const rows = waiting
      waiting = []
      for (let from = 0; from < rows.length; from += BATCH) {
        try {
          await insertReceipts(db, rows.slice(from, from + BATCH))
        } catch (error) {
          waiting = [...rows.slice(from), ...waiting].slice(0, MAX_WAITING)
          throw error
        }
      }
    },
  }
}

async function insertReceipts(db: Queries, rows: readonly Receipt[]): Promise<void> {
  await db.query(sql`
    insert into challenge_receipts (team_id, challenge_id, at)
    select team_id, challenge_id, min(at) from unnest(${rows.map(({ teamId }) => teamId)}::text[],
      ${rows.map(({ challengeId }) => challengeId)}::text[], ${rows.map(({ at }) => new Date(at))}::timestamptz[])
      as receipt (team_id, challenge_id, at)
    group by team_id, challenge_id
    on conflict (team_id, challenge_id) do update set at = excluded.at where excluded.at < challenge_receipts.at`)
}
