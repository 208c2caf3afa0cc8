import type { PoolClient } from 'pg'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { readBinaryCopy, type CopiedRow } from '../db/copy.ts'
import type { Database, Queries } from '../db/database.ts'
import type {
  ChallengeRow,
  FeedColumns,
  FeedEvent,
  FeedRow,
  SettingsOverrides,
  SolveColumns,
  SolveRow,
  TeamRow,
  WorldRows,
} from './model.ts'

/** A place in the log of changes. The mark tells a row from one that another server gave the same number. */
export interface LogPosition {
  readonly seq: number
  readonly mark: string | null
}

/** Everything, and the place in the log up to which it is told, read in one snapshot. */
export async function loadWorldRows(db: Database): Promise<{ rows: WorldRows; position: LogPosition }> {
  return await db.withClient(async (client) => {
    const tx: Queries = { query: async (statement) => (await client.query(statement)).rows }
    await client.query('begin isolation level repeatable read read only')
    const [last] = await tx.query<LogPosition>(sql`
      select seq, extract(epoch from at)::text as mark from changes order by seq desc limit 1`)
    const rows = {
      teams: await readTeams(tx),
      challenges: await readChallenges(tx),
      solves: [],
      solveColumns: await copySolves(client),
      feed: await readFeed(tx),
      feedEvents: [],
      feedColumns: await copyFeedEvents(client),
      settings: await readSettings(tx),
    }
    await client.query('commit')
    return { rows, position: last ?? { seq: 0, mark: null } }
  })
}

/** Whole Unix milliseconds; microseconds are cut off. */
function millis(column: string): Sql {
  return raw(`floor(extract(epoch from ${column}) * 1000)::float8`)
}

/** The named teams, or all. */
export function readTeams(db: Queries, ids?: readonly string[]): Promise<TeamRow[]> {
  return db.query<TeamRow>(sql`
    select id, n, name, email, division, perms, banned, extrank_id as "extrankId", avatar_url as "avatarUrl",
      country_code as "countryCode", status_text as "statusText", ${millis('created_at')} as "createdAt"
    from teams ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The named challenges, or all. */
export function readChallenges(db: Queries, ids?: readonly string[]): Promise<ChallengeRow[]> {
  return db.query<ChallengeRow>(sql`
    select id, n, name, description, category, author, flags, files, points_min as "pointsMin",
      points_max as "pointsMax", tiebreak_eligible as "tiebreakEligible", sort_weight as "sortWeight", hidden,
      ${millis('release_at')} as "releaseAt", scoring_kind as "scoringKind", scoring_secret as "scoringSecret",
      instancer_config as "instancerConfig", admin_bot_config as "adminBotConfig", tags, version
    from challenges ${ids ? sql`where id = any(${ids})` : empty}`)
}

export interface SolvePair {
  readonly challengeId: string
  readonly teamId: string
}

export function readSolves(db: Queries, pairs: readonly SolvePair[]): Promise<SolveRow[]> {
  const challengeIds = pairs.map((pair) => pair.challengeId)
  const teamIds = pairs.map((pair) => pair.teamId)
  return db.query<SolveRow>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", ${millis('created_at')} as "createdAt",
      global_place as "globalPlace", division_place as "divisionPlace"
    from unnest(${challengeIds}::text[], ${teamIds}::text[]) as named (challenge_id, team_id)
      join solves using (challenge_id, team_id)`)
}

/** Feed rows of the named challenges, or all. */
export function readFeed(db: Queries, challengeIds?: readonly string[]): Promise<FeedRow[]> {
  return db.query<FeedRow>(sql`
    select challenge_id as "challengeId", team_id as "teamId", points, ${millis('scored_at')} as "scoredAt", delta,
      ${millis('tick_at')} as "tickAt"
    from feed_scores ${challengeIds ? sql`where challenge_id = any(${challengeIds})` : empty}`)
}

export function readFeedEvents(db: Queries, challengeIds: readonly string[]): Promise<FeedEvent[]> {
  return db.query<FeedEvent>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", delta, ${millis('at')} as at
    from feed_events where challenge_id = any(${challengeIds}) order by id`)
}

/** All of the named challenges, as one instant had it: a score and the event that made it must not come apart. */
export function readWholeFeed(
  db: Pick<Database, 'transaction'>,
  challengeIds: readonly string[],
): Promise<{ rows: FeedRow[]; events: FeedEvent[] }> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    return { rows: await readFeed(tx, challengeIds), events: await readFeedEvents(tx, challengeIds) }
  })
}

/** What came after a known event. One challenge a statement, so that the plan goes by its own numbers. */
export function readLaterEvents(db: Queries, challengeId: string, lastId: number): Promise<FeedEvent[]> {
  return db.query<FeedEvent>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", delta, ${millis('at')} as at
    from feed_events where challenge_id = ${challengeId} and id > ${lastId} order by id`)
}

export async function readSettings(db: Queries): Promise<SettingsOverrides> {
  const [row] = await db.query<{ data: SettingsOverrides }>(sql`select data from settings`)
  return row?.data ?? {}
}

/** Rows of one block of columns: about 2.5 MB, so that a load never holds a second copy of all. */
const blockLength = 65_536

interface BlockCopy<Block> {
  readonly select: string
  readonly columns: number
  readonly create: () => Block
  readonly add: (block: Block, row: CopiedRow) => void
}

async function copyInBlocks<Block extends { readonly length: number }>(
  client: PoolClient,
  { select, columns, create, add }: BlockCopy<Block>,
): Promise<Block[]> {
  const blocks: Block[] = []
  let block = create()
  const onRow = (row: CopiedRow) => {
    if (block.length === blockLength) {
      blocks.push(block)
      block = create()
    }
    add(block, row)
  }
  await readBinaryCopy(client, { select, columns, onRow })
  return [...blocks, block]
}

function copySolves(client: PoolClient): Promise<SolveColumns[]> {
  return copyInBlocks(client, {
    // Joined to the compact numbers here, so that ids need no lookup there. No order: sorting is cheaper in memory.
    select: `select t.n, c.n, s.created_at, s.id, s.global_place, s.division_place
      from solves s join teams t on t.id = s.team_id join challenges c on c.id = s.challenge_id`,
    columns: 6,
    create: createSolveBlock,
    add: addSolve,
  })
}

type SolveBlock = ReturnType<typeof createSolveBlock>

function createSolveBlock() {
  return {
    length: 0,
    teamNumbers: new Int32Array(blockLength),
    challengeNumbers: new Int32Array(blockLength),
    createdAt: new Float64Array(blockLength),
    ids: new Uint8Array(16 * blockLength),
    globalPlaces: new Int32Array(blockLength),
    divisionPlaces: new Int32Array(blockLength),
  } satisfies SolveColumns
}

function addSolve(block: SolveBlock, { buffer, at }: CopiedRow) {
  const [team = -1, challenge = -1, createdAt = -1, id = -1, globalPlace = -1, divisionPlace = -1] = at
  const i = block.length
  block.teamNumbers[i] = buffer.readInt32BE(team)
  block.challengeNumbers[i] = buffer.readInt32BE(challenge)
  block.createdAt[i] = millisAt(buffer, createdAt)
  block.ids.set(buffer.subarray(id, id + 16), 16 * i)
  block.globalPlaces[i] = globalPlace === -1 ? 0 : buffer.readInt32BE(globalPlace)
  block.divisionPlaces[i] = divisionPlace === -1 ? 0 : buffer.readInt32BE(divisionPlace)
  block.length += 1
}

/** All feed events: a challenge of two days whose teams move each minute has millions of them. */
function copyFeedEvents(client: PoolClient): Promise<FeedColumns[]> {
  return copyInBlocks(client, {
    select: `select t.n, c.n, e.id, e.at, e.delta
      from feed_events e join teams t on t.id = e.team_id join challenges c on c.id = e.challenge_id`,
    columns: 5,
    create: createEventBlock,
    add: addEvent,
  })
}

type EventBlock = ReturnType<typeof createEventBlock>

function createEventBlock() {
  return {
    length: 0,
    teamNumbers: new Int32Array(blockLength),
    challengeNumbers: new Int32Array(blockLength),
    ids: new Float64Array(blockLength),
    at: new Float64Array(blockLength),
    delta: new Float64Array(blockLength),
  } satisfies FeedColumns
}

function addEvent(block: EventBlock, { buffer, at }: CopiedRow) {
  const [team = -1, challenge = -1, id = -1, instant = -1, delta = -1] = at
  const i = block.length
  block.teamNumbers[i] = buffer.readInt32BE(team)
  block.challengeNumbers[i] = buffer.readInt32BE(challenge)
  block.ids[i] = Number(buffer.readBigInt64BE(id))
  block.at[i] = millisAt(buffer, instant)
  block.delta[i] = Number(buffer.readBigInt64BE(delta))
  block.length += 1
}

/** A binary timestamp of PostgreSQL counts microseconds from the year 2000. */
const postgresEpochMs = Date.UTC(2000, 0, 1)

/** Unix milliseconds of a binary timestamp; microseconds are cut off. */
function millisAt(buffer: Buffer, at: number): number {
  const micros = buffer.readInt32BE(at) * 2 ** 32 + buffer.readUInt32BE(at + 4)
  return Math.floor(micros / 1000) + postgresEpochMs
}
