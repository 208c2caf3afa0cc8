import sql from 'sql-template-tag'
import type { Database } from '../src/db/database.ts'

interface HostileTeam {
  readonly id: string
  readonly name: string
  readonly statusText: string
  readonly avatarUrl: string
}

/** Inserts teams whose names the API would reject, each ranked by one solve, and pending registrations. */
export async function putHostileTeams(
  db: Database,
  teams: readonly HostileTeam[],
  challengeId: string,
): Promise<void> {
  await db.change(async (tx) => {
    for (const [at, { id, name, statusText, avatarUrl }] of teams.entries()) {
      // oxlint-disable-next-line no-await-in-loop
      await tx.query(sql`
        insert into teams (id, name, email, division, status_text, avatar_url, country_code)
        values (${id}, ${name}, ${`${name}@crews.test`}, 'open', ${statusText}, ${avatarUrl}, 'NO')`)
      // oxlint-disable-next-line no-await-in-loop
      await tx.query(sql`
        insert into solves (id, challenge_id, team_id, created_at, ip)
        values (gen_random_uuid(), ${challengeId}, ${id}, clock_timestamp() - interval '1 minute', ${name})`)
      // oxlint-disable-next-line no-await-in-loop
      await tx.query(sql`
        insert into pending_registrations (id, email, name, division, expires_at)
        values (gen_random_uuid(), ${`${at}${name}`}, ${name}, ${name}, clock_timestamp() + interval '1 hour')`)
      tx.changed('teams', [id])
      tx.changed('solves', [challengeId, id])
    }
  })
}

/** Gives a team that can sign in a name that the API would reject. */
export async function renameTeam(db: Database, teamId: string, name: string): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`update teams set name = ${name} where id = ${teamId}`)
    tx.changed('teams', [teamId])
  })
}

interface HostileWork {
  readonly teamId: string
  readonly challengeId: string
  readonly texts: readonly string[]
}

/** Inserts a team's submissions to a flag field and to a bot, and the bot's output. */
export async function putHostileWork(db: Database, { teamId, challengeId, texts }: HostileWork) {
  for (const [at, text] of texts.entries()) {
    const sent = at % 2 === 0 ? { submittedFlag: text, cheatedFrom: text } : { inputs: { [text]: text } }
    const details = JSON.stringify(sent)
    // oxlint-disable-next-line no-await-in-loop
    await db.query(sql`
      insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
      values (gen_random_uuid(), ${at % 2 === 0 ? 'flag' : 'admin_bot'}, ${challengeId}, ${teamId}, ${text},
        ${at % 2 === 0 ? 'incorrect' : 'queued'}, ${details}, ${text}, clock_timestamp())`)
  }
  const logs = texts.map((line) => JSON.stringify({ time: 1, level: line, prefix: line, line })).join('\n')
  await db.query(sql`
    insert into admin_bot_jobs (id, challenge_id, team_id, status, config_revision, flags, inputs,
      instancer_instances, timeout_ms, created_at, updated_at)
    values ('hostile-job', ${challengeId}, ${teamId}, 'completed', 'r', '[]', '{}', '[]', 1000,
      clock_timestamp(), clock_timestamp())`)
  await db.query(
    sql`insert into admin_bot_logs (job_id, logs) values ('hostile-job', ${`${logs}\n${texts.join('\n')}`})`,
  )
}
