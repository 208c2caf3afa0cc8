import sql from 'sql-template-tag'
import type { Contest } from './harness.ts'

let serial = 0

/** Requests of referees that change something, by name of the route. The flags contain the secret. */
export function fairPlayWrites(contest: () => Contest, secret: string) {
  const flag = () => `flag{${secret}_${++serial}}`
  return {
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
