import sql from 'sql-template-tag'
import type { Contest } from './harness.ts'

let serial = 0

const version = 1

/** An open case about a team, or a decided one with an appeal. */
async function aCase(contest: Contest, decision: 'banned' | null = null) {
  const id = `case-${++serial}`
  const { id: userId } = await contest.team()
  const at = decision && new Date(contest.clock.now())
  await contest.db.query(
    sql`insert into fair_play_cases (id, decision, reason, decided_at) values (${id}, ${decision}, ${decision}, ${at})`,
  )
  await contest.db.query(sql`
    insert into fair_play_case_teams (case_id, team_id, concerned, appealed_at) values (${id}, ${userId}, true, ${at})`)
  return { params: { id }, userId }
}

/** Requests of referees that change something, by name of the route. The flags contain the secret. */
export function fairPlayWrites(contest: () => Contest, secret: string) {
  const flag = () => `flag{${secret}_${++serial}}`
  const cases = '/api/v2/admin/fair-play/cases'
  const request = async (data: object, decision: 'banned' | null = null) => {
    const { params, userId } = await aCase(contest(), decision)
    return { params, body: { data: 'userId' in data ? { ...data, userId } : data } }
  }
  return {
    [`POST ${cases}`]: async () => ({ body: { data: { userIds: [(await contest().team()).id] } } }),
    [`PUT ${cases}/:id`]: () => request({ version, assigneeId: null }),
    [`POST ${cases}/:id/notes`]: () => request({ content: secret }),
    [`POST ${cases}/:id/messages`]: () => request({ userId: '', content: secret }),
    [`PUT ${cases}/:id/decision`]: () => request({ version, decision: 'watched', reason: secret }),
    [`POST ${cases}/:id/undo`]: () => request({ version }, 'banned'),
    [`PUT ${cases}/:id/ruling`]: () => request({ userId: '', ruling: secret }, 'banned'),
    'PUT /api/v2/admin/fair-play': async () => ({
      body: { data: { version: 0, thresholds: { followSeconds: 30 } } },
    }),
    'POST /api/v2/admin/fair-play/decoys': async () => ({
      body: { data: { flag: flag(), place: 'source of the shop' } },
    }),
    'DELETE /api/v2/admin/fair-play/decoys/:id': async () => {
      const id = `decoy-${++serial}`
      await contest().db.query(
        sql`insert into fair_play_decoys (id, flag, place) values (${id}, ${flag()}, 'source of the shop')`,
      )
      return { params: { id } }
    },
  }
}
