import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import { codeOf } from '../../../db/failures.ts'
import type { MintedFlags } from '../../../providers/flags/dynamic.ts'

/** foreign_key_violation: the referenced row no longer exists. */
const GONE_MEANWHILE = '23503'

/** Stores minted flags in the database. The unique index prevents two teams from getting the same flag. */
export function createMintedFlags(db: Queries): MintedFlags {
  return {
    async findOwner({ challengeId, teamId, base, flag }) {
      const [row] = await db.query<{ teamId: string }>(sql`
        select team_id as "teamId" from dynamic_flags
        where challenge_id = ${challengeId} and base = ${base} and flag = ${flag}
        order by team_id <> ${teamId}, created_at, team_id limit 1`)
      return row?.teamId ?? null
    },

    async findOwn({ challengeId, teamId, base }) {
      const [row] = await db.query<{ flag: string }>(sql`
        select flag from dynamic_flags
        where challenge_id = ${challengeId} and team_id = ${teamId} and base = ${base}`)
      return row?.flag ?? null
    },

    async add({ challengeId, teamId, base, flag, allowDuplicate }) {
      try {
        const rows = await db.query(sql`
          insert into dynamic_flags (challenge_id, team_id, base, flag, allow_duplicate)
          values (${challengeId}, ${teamId}, ${base}, ${flag}, ${allowDuplicate})
          on conflict do nothing returning flag`)
        return rows.length > 0
      } catch (error) {
        // The team or challenge was deleted in the meantime, so the flag is not needed.
        if (codeOf(error) === GONE_MEANWHILE) return false
        throw error
      }
    },

    async count(challengeId, base) {
      const [row] = await db.query<{ count: number }>(sql`
        select count(distinct flag) as count from dynamic_flags
        where challenge_id = ${challengeId} and base = ${base}`)
      return row?.count ?? 0
    },
  }
}
