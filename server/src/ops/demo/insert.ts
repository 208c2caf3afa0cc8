import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { SECOND_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import type { ChangeTransaction, Database } from '../../db/database.ts'
import { orderedId, randomId } from '../../lib/uuid.ts'
import { pushedChallenge } from './challenges.ts'
import { chance, seeded } from './random.ts'
import type { DemoSubmission, DemoTeam, History, Played } from './history.ts'

// Writes a history into the tables, with the times of the past, as the server itself would have written it.

/** Rows per transaction, about half of them solves. The server records the ranks of up to 5,000 solves a second. */
const BATCH_LENGTH = 10_000
const RANKS_POLL_MS = 100
/** For one batch, on a busy machine. */
const RANKS_LIMIT_MS = 2 * MINUTE_MS

export interface WrittenTeam extends DemoTeam {
  readonly id: string
}

export interface InsertOptions {
  /** Whether a running server computes the ranks of the solves; without one they stay empty. */
  readonly waitsForRanks: boolean
}

export async function insertHistory(
  db: Database,
  { teams, submissions }: History,
  { waitsForRanks }: InsertOptions,
): Promise<readonly WrittenTeam[]> {
  const written = teams.map((team) => ({ ...team, id: randomId() }))
  for (const batch of inBatches(written)) await db.change((tx) => insertTeams(tx, batch))
  for (const batch of inBatches(submissions)) {
    await db.change((tx) => insertSubmissions(tx, batch, written))
    if (waitsForRanks) await ranksRecorded(db)
  }
  return written
}

function inBatches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH_LENGTH) }, (_, at) =>
    items.slice(at * BATCH_LENGTH, (at + 1) * BATCH_LENGTH),
  )
}

async function insertTeams(tx: ChangeTransaction, teams: readonly WrittenTeam[]): Promise<void> {
  const column = <K extends keyof WrittenTeam>(key: K) => teams.map((team) => team[key])
  await tx.query(sql`
    insert into teams (id, name, email, division, country_code, status_text, created_at)
    select id, name, email, division, country_code, status_text, to_timestamp(created_at / 1000)
    from unnest(${column('id')}::text[], ${column('name')}::text[], ${column('email')}::text[],
      ${column('division')}::text[], ${column('countryCode')}::text[], ${column('statusText')}::text[],
      ${column('createdAt')}::float8[]) as t (id, name, email, division, country_code, status_text, created_at)`)
  const members = teams.flatMap(({ id, members: emails }) => emails.map((email) => ({ id, email })))
  await tx.query(sql`
    insert into members (id, team_id, email)
    select * from unnest(${members.map(() => randomId())}::text[], ${members.map(({ id }) => id)}::text[],
      ${members.map(({ email }) => email)}::text[])`)
  tx.changed('teams', column('id'))
}

async function insertSubmissions(
  tx: ChangeTransaction,
  batch: readonly DemoSubmission[],
  teams: readonly WrittenTeam[],
): Promise<void> {
  const rows = batch.map((submission) => {
    const { result, flag, challenge, team, at } = submission
    const { id: teamId = '', ip = '' } = teams[team] ?? {}
    const details = { submittedFlag: flag, ...(result === 'correct' && matchOf(challenge)) }
    const solveId = result === 'correct' ? orderedId() : null
    return {
      id: orderedId(),
      solveId,
      challengeId: challenge.id,
      teamId,
      ip,
      result,
      details: JSON.stringify(details),
      at,
    }
  })
  const solves = rows.filter(({ solveId }) => solveId !== null)
  const column = <K extends keyof (typeof rows)[number]>(of: typeof rows, key: K) => of.map((row) => row[key])
  await tx.query(sql`
    insert into solves (id, challenge_id, team_id, ip, created_at)
    select id, challenge_id, team_id, ip, to_timestamp(at / 1000)
    from unnest(${column(solves, 'solveId')}::uuid[], ${column(solves, 'challengeId')}::text[],
      ${column(solves, 'teamId')}::text[], ${column(solves, 'ip')}::text[],
      ${column(solves, 'at')}::float8[]) as s (id, challenge_id, team_id, ip, at)`)
  await tx.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
    select id, 'flag', challenge_id, team_id, ip, result, details::jsonb, related_id, to_timestamp(at / 1000)
    from unnest(${column(rows, 'id')}::uuid[], ${column(rows, 'challengeId')}::text[],
      ${column(rows, 'teamId')}::text[], ${column(rows, 'ip')}::text[], ${column(rows, 'result')}::text[],
      ${column(rows, 'details')}::text[], ${column(rows, 'solveId')}::text[],
      ${column(rows, 'at')}::float8[]) as s (id, challenge_id, team_id, ip, result, details, related_id, at)`)
  if (solves.length === 0) return
  tx.changed(
    'solves',
    solves.flatMap(({ challengeId, teamId }) => [challengeId, teamId]),
  )
}

/** Share of the teams that took part in the challenge that is scored by pushes. */
const PUSHED_SHARE = 0.4

/** The points of the last push and how they changed, as the server stores them. */
export async function insertPushedScores(
  db: Database,
  { teams, at }: { readonly teams: readonly WrittenTeam[]; readonly at: number },
): Promise<void> {
  const { id } = pushedChallenge
  const rows = teams.flatMap((team) => {
    const random = seeded(`pier ${team.name}`)
    if (!chance(random, PUSHED_SHARE)) return []
    return [
      { teamId: team.id, points: 20 + Math.floor(random() * 400), delta: Math.floor(random() * 60) - 20 },
    ]
  })
  const [teamIds, tickAt] = [rows.map(({ teamId }) => teamId), new Date(at - MINUTE_MS)]
  const [points, deltas] = [rows.map((row) => row.points), rows.map(({ delta }) => delta)]
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at)
      select ${id}, team_id, points, ${tickAt}, delta, ${tickAt}
      from unnest(${teamIds}::text[], ${points}::int[], ${deltas}::int[]) as t (team_id, points, delta)`)
    await tx.query(sql`
      insert into feed_events (challenge_id, team_id, delta, at)
      select ${id}, team_id, points, ${tickAt}
      from unnest(${teamIds}::text[], ${points}::int[]) as t (team_id, points)`)
    tx.changed('feed', [id])
  })
}

/** What the audit says about the flag that matched. */
function matchOf({ entry }: Played) {
  return { matchedFlagIndex: 0, matchedFlagProvider: entry.provider, matchedFlagConfig: entry.config }
}

/** Waits until the server has recorded the ranks of all solves, so that it ranks one batch at a time. */
async function ranksRecorded(db: Database): Promise<void> {
  const deadline = Date.now() + RANKS_LIMIT_MS
  while (Date.now() < deadline) {
    const missing = await db.query(sql`select from solves where global_place is null limit 1`)
    if (missing.length === 0) return
    await sleep(RANKS_POLL_MS)
  }
  throw new Error(`the server did not rank the solves within ${RANKS_LIMIT_MS / SECOND_MS} s`)
}
