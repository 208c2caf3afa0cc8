import sql from 'sql-template-tag'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Queries } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from './job.ts'

/** How long the last entries could be removed without a trace in the log of the server. */
const EVERY_MS = 5 * MINUTE_MS

/**
 * Writes the head of the action log to the log, whenever it changed: whoever can rewrite the database cannot rewrite the logs
 * elsewhere. `pennant verify --actions-head` compares with it.
 */
export function actionsHeadJob(db: Queries, log: Log): Job {
  let logged = ''
  return {
    name: 'head of the action log',
    everyMs: EVERY_MS,
    async run() {
      const [head] = await db.query<{ seq: number; hash: string }>(sql`select seq, hash from action_chain`)
      if (!head || head.hash === logged) return
      logged = head.hash
      log.info({ seq: head.seq, hash: head.hash }, 'head of the action log')
    },
  }
}
