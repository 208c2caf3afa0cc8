import { teamNameKey } from '@pennant/contract/fields.ts'
import type { ClientBase } from 'pg'
import type {
  ImportedAdjustment,
  ImportedAnnouncement,
  ImportedChallenge,
  ImportedClient,
  ImportedContest,
  ImportedHint,
  ImportedPurchase,
  ImportedTeam,
} from './contest.ts'
import { insertRows, storableJson } from './insert.ts'
import { microsText } from './micros.ts'

export interface Counts {
  readonly teams: number
  readonly members: number
  readonly challenges: number
  readonly solves: number
  readonly pushedScores: number
  readonly adjustments: number
  readonly hints: number
  readonly hintPurchases: number
  readonly submissions: number
  readonly dynamicFlags: number
  readonly botJobs: number
  readonly pending: number
  readonly clients: number
  readonly announcements: number
  readonly files: number
}

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
  const adjustments = await insert(client, 'score_adjustments', contest.adjustments.map(adjustmentRow))
  const hints = await insert(client, 'hints', contest.hints.map(hintRow))
  const hintPurchases = await insert(client, 'hint_purchases', contest.purchases.map(purchaseRow))
  const submissions = await insert(client, 'submissions', submissionRows(contest))
  const counts = await writeOthers(contest, { ...writing, insert })
  await writeSettings(client, contest.settings)
  return {
    teams,
    members,
    challenges,
    solves,
    pushedScores,
    adjustments,
    hints,
    hintPurchases,
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
  const announcements = await insert(client, 'announcements', contest.announcements.map(announcementRow))
  return { dynamicFlags, botJobs, pending, clients, announcements }
}

function adjustmentRow({ id, teamId, points, reason, kind, at, undoneAt }: ImportedAdjustment) {
  const undone = undoneAt === null ? null : microsText(undoneAt)
  return { id, team_id: teamId, points, reason, kind, at: microsText(at), undone_at: undone }
}

function hintRow({ id, challengeId, position, text, price }: ImportedHint) {
  return {
    id,
    challenge_id: challengeId,
    position,
    content: text,
    price,
    release_kind: 'after',
    release_minutes: 0,
    version: 1,
    created_at: new Date(0).toISOString(),
  }
}

function purchaseRow({ hintId, teamId, price, at, adjustmentId }: ImportedPurchase) {
  return { hint_id: hintId, team_id: teamId, price, at: microsText(at), adjustment_id: adjustmentId }
}

function announcementRow({ id, title, content, audience, publishAt }: ImportedAnnouncement) {
  const at = microsText(publishAt)
  return {
    id,
    title,
    content,
    severity: 'info',
    audience,
    pinned: false,
    forward: false,
    publish_at: at,
    version: 1,
    created_at: at,
  }
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
export type Linked = Pick<ImportedContest, 'teams' | 'challenges' | 'hints' | 'settings' | 'announcements'>

/** Writes the links of stored files. */
export async function writeLinks(
  client: ClientBase,
  { teams, challenges, hints, settings, announcements }: Linked,
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
  await client.query(
    `update hints set content = linked.text from json_to_recordset($1::json) as linked (id text, text text)
     where hints.id = linked.id and hints.content <> linked.text`,
    [storableJson(hints.map(({ id, text }) => ({ id, text })))],
  )
  await client.query(
    `update announcements set content = linked.content from json_to_recordset($1::json) as linked (id text, content text)
     where announcements.id = linked.id and announcements.content <> linked.content`,
    [storableJson(announcements.map(({ id, content }) => ({ id, content })))],
  )
  await writeSettings(client, settings)
}
