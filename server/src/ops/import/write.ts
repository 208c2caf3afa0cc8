import { teamNameKey } from '@pennant/contract/fields.ts'
import { escapeIdentifier, type ClientBase } from 'pg'
import type {
  ImportedBotJob,
  ImportedChallenge,
  ImportedClient,
  ImportedContest,
  ImportedTeam,
} from './contest.ts'
import { columnsOf, insertRows, storableJson, type InsertedRow } from './insert.ts'

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
  const { client, onRows, secretHashOf } = writing
  const insert: typeof insertRows = (...args) => {
    onRows(args[1])
    return insertRows(...args)
  }
  const teams = await insert(client, 'teams', contest.teams.map(createTeamRow()))
  const members = await insert(client, 'members', contest.members.map(columnsOf))
  const challenges = await insert(client, 'challenges', contest.challenges.map(challengeRow))
  // First bloods of the source are announced already.
  await client.query('alter table solves disable trigger user')
  const solves = await insert(client, 'solves', contest.solves.map(createdRow))
  await client.query('alter table solves enable trigger user')
  await insert(client, 'feed_events', contest.feedEvents.map(columnsOf))
  const pushedScores = await insert(client, 'feed_scores', contest.feedScores.map(columnsOf))
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
  const dynamicFlags = await insert(client, 'dynamic_flags', contest.dynamicFlags.map(createdRow))
  const botJobs = await insert(client, 'admin_bot_jobs', contest.botJobs.map(botJobRow))
  const logs = contest.botJobs.flatMap(({ id, log }) => (log === null ? [] : [{ job_id: id, logs: log }]))
  await insert(client, 'admin_bot_logs', logs)
  const pending = await insert(
    client,
    'pending_registrations',
    contest.pending.map((each) => ({ ...columnsOf(each), perms: 0 })),
  )
  const clients = await insert(
    client,
    'external_auth_clients',
    contest.clients.map((each) => ({
      ...columnsOf(each),
      secret_hash: `\\x${secretHashOf(each).toString('hex')}`,
    })),
  )
  await writeSettings(client, contest.settings)
  return {
    teams,
    members,
    challenges,
    solves,
    pushedScores,
    ...tables,
    submissions,
    dynamicFlags,
    botJobs,
    pending,
    clients,
    files: contest.files.length,
  }
}

function createdRow<Row extends { readonly at: number }>({ at, ...fields }: Row): InsertedRow {
  return columnsOf({ ...fields, createdAt: at })
}

async function* submissionRows({ submissions }: ImportedContest) {
  for await (const each of submissions()) yield createdRow(each)
}

function botJobRow({ instances, ...job }: ImportedBotJob) {
  return { ...columnsOf({ ...job, log: undefined }), instancer_instances: instances, attempts: 0 }
}

function createTeamRow() {
  const namesakes = new Map<string, number>()
  return (team: ImportedTeam) => {
    const key = teamNameKey(team.name)
    const namesake = namesakes.get(key) ?? 0
    namesakes.set(key, namesake + 1)
    return { ...columnsOf(team), namesake }
  }
}

function challengeRow({ points, releaseAt, ...challenge }: ImportedChallenge) {
  return {
    ...columnsOf(challenge),
    points_min: points.min,
    points_max: points.max,
    // Unix milliseconds.
    release_at: releaseAt === null ? null : new Date(releaseAt).toISOString(),
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
      `update ${escapeIdentifier(table)} as stored set content = linked.content
       from json_to_recordset($1::json) as linked (id text, content text)
       where stored.id = linked.id and stored.content <> linked.content`,
      [storableJson(texts.map(({ id, content }) => ({ id, content })))],
    )
  }
  await writeSettings(client, settings)
}
