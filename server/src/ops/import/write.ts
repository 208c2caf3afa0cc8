import { teamNameKey } from '@pennant/contract/fields.ts'
import type { ClientBase } from 'pg'
import type { ImportedChallenge, ImportedClient, ImportedContest, ImportedTeam } from './contest.ts'
import { insertRows, storableJson } from './insert.ts'
import { microsText } from './micros.ts'

/** By the kind of row. */
export type Counts = Readonly<Record<string, number>>

interface Writing {
  readonly client: ClientBase
  /** SHA-256 of the new secret of a client. */
  readonly secretHashOf: (client: ImportedClient) => Buffer
  readonly onRows: (table: string) => void
}

/** Writes all rows in the caller's transaction. Markers of files stay in the texts. */
export async function writeContest(contest: ImportedContest, writing: Writing): Promise<Counts> {
  const { client, onRows } = writing
  const insert: typeof insertRows = (...args) => {
    onRows(args[1])
    return insertRows(...args)
  }
  const teams = await insert(client, 'teams', contest.teams.map(createTeamRow()))
  const members = await insert(
    client,
    'members',
    contest.members.map(({ id, teamId, email }) => ({ id, team_id: teamId, email })),
  )
  const challenges = await insert(client, 'challenges', contest.challenges.map(challengeRow))
  // First bloods of the source are announced already.
  await client.query('alter table solves disable trigger user')
  const solves = await insert(
    client,
    'solves',
    contest.solves.map((solve) => ({
      id: solve.id,
      challenge_id: solve.challengeId,
      team_id: solve.teamId,
      created_at: microsText(solve.at),
      ip: solve.ip,
    })),
  )
  await client.query('alter table solves enable trigger user')
  const pushedScores = await writeFeed(contest, { client, insert })
  const tables: Record<string, number> = {}
  for (const { name, table, rows } of contest.tables) {
    const count = await insert(
      client,
      table,
      rows.map(({ columns }) => columns),
    )
    tables[name] = (tables[name] ?? 0) + count
  }
  const submissions = await insert(client, 'submissions', submissionRows(contest))
  const counts = await writeOthers(contest, { ...writing, insert })
  await writeSettings(client, contest.settings)
  return {
    teams,
    members,
    challenges,
    solves,
    pushedScores,
    ...tables,
    submissions,
    files: contest.files.length,
    ...counts,
  }
}

interface Inserting {
  readonly client: ClientBase
  readonly insert: typeof insertRows
}

async function writeFeed(
  { feedScores, feedEvents }: ImportedContest,
  { client, insert }: Inserting,
): Promise<number> {
  await insert(
    client,
    'feed_events',
    feedEvents.map((event) => ({
      challenge_id: event.challengeId,
      team_id: event.teamId,
      delta: event.delta,
      at: microsText(event.at),
    })),
  )
  return await insert(
    client,
    'feed_scores',
    feedScores.map((score) => ({
      challenge_id: score.challengeId,
      team_id: score.teamId,
      points: score.points,
      scored_at: microsText(score.scoredAt),
      delta: score.delta,
      tick_at: microsText(score.tickAt),
    })),
  )
}

async function* submissionRows({ submissions }: ImportedContest) {
  for await (const each of submissions())
    yield {
      id: each.id,
      kind: each.kind,
      challenge_id: each.challengeId,
      team_id: each.teamId,
      ip: each.ip,
      result: each.result,
      details: each.details,
      related_id: each.relatedId,
      created_at: microsText(each.at),
    }
}

async function writeOthers(contest: ImportedContest, { client, insert, secretHashOf }: Writing & Inserting) {
  const dynamicFlags = await insert(
    client,
    'dynamic_flags',
    contest.dynamicFlags.map((flag) => ({
      challenge_id: flag.challengeId,
      team_id: flag.teamId,
      base: flag.base,
      flag: flag.flag,
      allow_duplicate: flag.allowDuplicate,
      created_at: microsText(flag.at),
    })),
  )
  const botJobs = await insert(
    client,
    'admin_bot_jobs',
    contest.botJobs.map((job) => ({
      id: job.id,
      challenge_id: job.challengeId,
      team_id: job.teamId,
      status: job.status,
      config_revision: job.configRevision,
      flags: job.flags,
      inputs: job.inputs,
      instancer_instances: job.instances,
      timeout_ms: job.timeoutMs,
      created_at: microsText(job.createdAt),
      updated_at: microsText(job.updatedAt),
      attempts: 0,
    })),
  )
  const logs = contest.botJobs.flatMap(({ id, log }) => (log === null ? [] : [{ job_id: id, logs: log }]))
  await insert(client, 'admin_bot_logs', logs)
  const pending = await insert(
    client,
    'pending_registrations',
    contest.pending.map((each) => ({
      id: each.id,
      email: each.email,
      name: each.name,
      division: each.division,
      perms: 0,
      created_at: microsText(each.createdAt),
      expires_at: microsText(each.expiresAt),
    })),
  )
  const clients = await insert(
    client,
    'external_auth_clients',
    contest.clients.map((each) => ({
      id: each.id,
      name: each.name,
      redirect_uri: each.redirectUri,
      secret_hash: `\\x${secretHashOf(each).toString('hex')}`,
      created_at: microsText(each.createdAt),
      created_by: each.createdBy,
    })),
  )
  return { dynamicFlags, botJobs, pending, clients }
}

function createTeamRow() {
  const namesakes = new Map<string, number>()
  return (team: ImportedTeam) => {
    const key = teamNameKey(team.name)
    const namesake = namesakes.get(key) ?? 0
    namesakes.set(key, namesake + 1)
    return { ...teamRow(team), namesake }
  }
}

function teamRow(team: ImportedTeam) {
  return {
    id: team.id,
    name: team.name,
    email: team.email,
    division: team.division,
    perms: team.perms,
    banned: team.banned,
    extrank_id: team.extrankId,
    avatar_url: team.avatarUrl,
    country_code: team.countryCode,
    status_text: team.statusText,
    created_at: microsText(team.createdAt),
  }
}

function challengeRow(challenge: ImportedChallenge) {
  return {
    id: challenge.id,
    name: challenge.name,
    description: challenge.description,
    category: challenge.category,
    author: challenge.author,
    flags: challenge.flags,
    files: challenge.files,
    points_min: challenge.points.min,
    points_max: challenge.points.max,
    tiebreak_eligible: challenge.tiebreakEligible,
    sort_weight: challenge.sortWeight,
    hidden: challenge.hidden,
    release_at: challenge.releaseAt === null ? null : new Date(challenge.releaseAt).toISOString(),
    scoring_kind: challenge.scoringKind,
    scoring_secret: challenge.scoringSecret,
    instancer_config: challenge.instancerConfig,
    admin_bot_config: challenge.adminBotConfig,
    tags: challenge.tags,
    prerequisites: challenge.prerequisites,
    locked_shown: challenge.lockedShown,
    version: 1,
    created_at: new Date(0).toISOString(),
  }
}

async function writeSettings(client: ClientBase, settings: object): Promise<void> {
  await client.query(`update settings set data = data || $1::jsonb, version = version + 1`, [
    storableJson(settings),
  ])
}

/** The parts of a contest that contain links to files. */
export type Linked = Pick<ImportedContest, 'teams' | 'challenges' | 'tables' | 'settings'>

/** Writes the links of stored files. */
export async function writeLinks(
  client: ClientBase,
  { teams, challenges, tables, settings }: Linked,
): Promise<void> {
  await client.query(
    `update teams set avatar_url = linked.url from json_to_recordset($1::json) as linked (id text, url text)
     where teams.id = linked.id and teams.avatar_url is distinct from linked.url`,
    [storableJson(teams.map(({ id, avatarUrl }) => ({ id, url: avatarUrl })))],
  )
  for (const { id, description, files } of challenges)
    await client.query(
      `update challenges set description = linked.description, files = linked.files
       from json_to_record($2::json) as linked (description text, files jsonb) where challenges.id = $1`,
      [id, storableJson({ description, files })],
    )
  for (const { table, rows } of tables) {
    const texts = rows.flatMap(({ columns, content }) => (content ? [columns] : []))
    if (texts.length === 0) continue
    await client.query(
      `update ${table} set content = linked.content from json_to_recordset($1::json) as linked (id text, content text)
       where ${table}.id = linked.id and ${table}.content <> linked.content`,
      [storableJson(texts.map(({ id, content }) => ({ id, content })))],
    )
  }
  await writeSettings(client, settings)
}
