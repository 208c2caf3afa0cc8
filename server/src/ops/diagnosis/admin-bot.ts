import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { JobOwner } from '../../features/engines/admin-bot/store.ts'
import { orderedId } from '../../lib/uuid.ts'
import { failure, ok, unchecked, type Check, type Finding, type Subject } from './check.ts'
import { databaseOf } from './database.ts'
import { isChecked } from './scope.ts'

/** The queue before it, and a browser that has to be started. */
const VISIT_TIMEOUT_MS = 3 * MINUTE_MS
const POLL_MS = 500
const HANDLER_LIMIT_MS = 30 * SECOND_MS

/** Needs a browser that shows pages and runs their scripts, but no other machine. */
const SOURCE = `import { Challenge } from '@pennant/bot'

export const challenge = new Challenge({
  timeoutMilliseconds: ${HANDLER_LIMIT_MS},
  inputs: {},
  async handler({ browserContext, output }) {
    const page = await browserContext.newPage()
    await page.goto('data:text/html,<script>document.title = "page " + (1 + 1)</script>')
    const title = await page.title()
    if (title !== 'page 2') output.fatal('diagnosis', 'the page has the title ' + JSON.stringify(title))
  },
})
`

/**
 * Queues a visit with code of its own, waits for its end and removes it. Jobs belong to a challenge and a team, so it
 * borrows a challenge with a bot and an organiser's team; neither changes, and nothing is added to the audit.
 */
async function checkVisit(subject: Subject, signal: AbortSignal): Promise<Finding> {
  if (!subject.config.adminBot) return unchecked('No admin bot is configured.')
  if (subject.withBot !== true) return unchecked('No visit was made.', 'Run `pennant doctor --bot`.')
  const db = databaseOf(subject)
  const [owner] = await db.query<JobOwner>(sql`
    select c.id as "challengeId", teams.id as "teamId" from challenges c, teams
    where admin_bot_config is not null and perms <> 0 and not exists (
      select from admin_bot_jobs
      where challenge_id = c.id and team_id = teams.id and status in ('queued', 'running'))
      ${subject.challengeId === undefined ? empty : sql`and ${isChecked(subject)}`}
    order by c.id, teams.id limit 1`)
  if (!owner) return unchecked('There is no challenge with an admin bot, or no organiser.')
  const job = { id: orderedId(), revision: `diagnosis-${randomUUID()}` }
  try {
    await queueVisit(db, { ...owner, ...job, at: subject.now() })
    return await endOf(db, job.id, signal)
  } finally {
    await db.query(sql`delete from admin_bot_jobs where id = ${job.id}`)
    await db.query(sql`delete from admin_bot_sources where revision = ${job.revision}`)
  }
}

interface Visit extends JobOwner {
  readonly id: string
  readonly revision: string
  readonly at: number
}

async function queueVisit(db: Database, { id, challengeId, teamId, revision, at }: Visit): Promise<void> {
  await db.query(sql`
    insert into admin_bot_sources (challenge_id, revision, code) values (${challengeId}, ${revision}, ${SOURCE})`)
  await db.query(sql`
    insert into admin_bot_jobs (id, challenge_id, team_id, config_revision, flags, inputs, instancer_instances,
      timeout_ms, created_at, updated_at)
    values (${id}, ${challengeId}, ${teamId}, ${revision}, '[]', '{}', '[]', ${HANDLER_LIMIT_MS},
      ${new Date(at)}, ${new Date(at)})`)
}

async function endOf(db: Database, id: string, signal: AbortSignal): Promise<Finding> {
  interface Row {
    readonly status: string
    readonly logs: string | null
    readonly waitedMs: number | null
    readonly tookMs: number
  }
  let last: Row | undefined
  while (!signal.aborted) {
    ;[last] = await db.query<Row>(sql`
      select status, logs,
        round(extract(epoch from pulled_at - created_at) * 1000)::float8 as "waitedMs",
        round(extract(epoch from updated_at - pulled_at) * 1000)::float8 as "tookMs"
      from admin_bot_jobs job left join admin_bot_logs logs on logs.job_id = job.id where id = ${id}`)
    if (last?.status === 'completed')
      return ok(`A worker began the visit after ${last.waitedMs} ms and needed ${last.tookMs} ms.`)
    if (last?.status === 'failed') break
    await delay(POLL_MS, undefined, { signal }).catch(() => {})
  }
  if (last?.status === 'queued')
    return failure(
      'No worker took the visit from the queue.',
      'Start a worker, and check its BASE_URL and SECRET_KEY.',
    )
  return failure(
    `The visit failed: ${messageIn(last?.logs ?? null)}`,
    'Look at the log of the worker; `docs/operate/admin-bot.md` lists what its machine needs.',
  )
}

/** The last of the lines that the worker wrote for the team, each an object in JSON. */
function messageIn(logs: string | null): string {
  const last = logs?.trim().split('\n').at(-1) ?? ''
  try {
    return z.object({ line: z.string() }).parse(JSON.parse(last)).line
  } catch {
    return last === '' ? 'it has no log' : last
  }
}

export const adminBotChecks: readonly Check[] = [
  { name: 'admin-bot-visit', needsDatabase: true, timeoutMs: VISIT_TIMEOUT_MS, run: checkVisit },
]
