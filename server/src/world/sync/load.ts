import type { PoolClient } from 'pg'
import sql from 'sql-template-tag'
import { readBinaryCopy, type CopiedRow } from '../../db/copy.ts'
import type { Database, Queries } from '../../db/database.ts'
import type { FeedColumns, SolveColumns } from '../bulk-columns.ts'
import type { LogPosition, SolvePair, WorldRows } from '../model.ts'
import type { AnyRowKind, RowsOfKind } from '../row-kind.ts'
import { readChallenges, readFeed, readSettings, readTeams } from '../rows.ts'
import { UUID_BYTES } from '../solves.ts'

/**
 * Joining millions of solves with 100,000 teams takes most of a start, so two processes of the database do it, without temporary files.
 * Each has its own hash table, because a common one needs shared memory, of which containers have little.
 */
const JOIN_SETTINGS = [
  `set local work_mem = '64MB'`,
  'set local max_parallel_workers_per_gather = 1',
  'set local parallel_setup_cost = 0',
  'set local parallel_tuple_cost = 0',
  'set local enable_parallel_hash = off',
].join('; ')

/** Everything, and the position in the change log that it corresponds to, read in one snapshot. */
export async function loadWorldRows(
  db: Database,
  rowKinds: readonly AnyRowKind[],
): Promise<{ rows: WorldRows; position: LogPosition }> {
  return await db.withClient(async (client) => {
    const tx: Queries = { query: async (statement) => (await client.query(statement)).rows }
    await client.query('begin isolation level repeatable read read only')
    await client.query(JOIN_SETTINGS)
    const [last] = await tx.query<LogPosition>(sql`
      select seq, extract(epoch from at)::text as mark from changes order by seq desc limit 1`)
    const ofKinds: RowsOfKind[] = []
    for (const of of rowKinds) ofKinds.push({ of, rows: await of.read(tx) })
    const rows = {
      teams: await readTeams(tx),
      challenges: await readChallenges(tx),
      solves: [],
      solveColumns: await copySolves(client),
      feed: await readFeed(tx),
      feedEvents: [],
      feedColumns: await copyFeedEvents(client),
      settings: await readSettings(tx),
      rows: ofKinds,
      latestSolves: await readLatestSolves(tx),
    }
    await client.query('commit')
    return { rows, position: last ?? { seq: 0, mark: null } }
  })
}

/** Entries of the change log that may contain solves without recorded ranks: many seconds at peak load. */
const LATEST_ENTRIES = 1000

/** The solves in the latest entries, each at its first occurrence. */
async function readLatestSolves(db: Queries): Promise<SolvePair[]> {
  const entries = await db.query<{ ids: string[] }>(sql`
    select ids from (
      select seq, ids from changes where kind = 'solves' order by seq desc limit ${LATEST_ENTRIES}
    ) latest order by seq`)
  return [...solvePairs(entries).values()]
}

export function pairKey({ challengeId, teamId }: SolvePair): string {
  return JSON.stringify([challengeId, teamId])
}

/** The pairs in entries of kind `solves`, keyed by `pairKey`, in the order of the entries. */
export function solvePairs(entries: readonly { readonly ids: readonly string[] }[]): Map<string, SolvePair> {
  const pairs = new Map<string, SolvePair>()
  for (const { ids } of entries) {
    for (let i = 0; i + 1 < ids.length; i += 2) {
      const pair = { challengeId: ids[i] ?? '', teamId: ids[i + 1] ?? '' }
      pairs.set(pairKey(pair), pair)
    }
  }
  return pairs
}

/** Rows per block of columns: about 2.5 MB, so that a load never needs memory for a second copy of everything. */
const BLOCK_LENGTH = 65_536

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
  const onRow = (row: CopiedRow) => {
    let block = blocks.at(-1)
    if (block === undefined || block.length === BLOCK_LENGTH) {
      block = create()
      blocks.push(block)
    }
    add(block, row)
  }
  await readBinaryCopy(client, { select, columns, onRow })
  return blocks
}

function copySolves(client: PoolClient): Promise<SolveColumns[]> {
  return copyInBlocks(client, {
    // Compact numbers instead of ids avoid a lookup per row. Unordered, because sorting in memory is cheaper.
    select: `select t.n, c.n, s.created_at, s.id, s.global_place, s.division_place, s.assisted
      from solves s join teams t on t.id = s.team_id join challenges c on c.id = s.challenge_id`,
    columns: 7,
    create: createSolveBlock,
    add: addSolve,
  })
}

type SolveBlock = ReturnType<typeof createSolveBlock>

function createSolveBlock() {
  return {
    length: 0,
    teamNumbers: new Int32Array(BLOCK_LENGTH),
    challengeNumbers: new Int32Array(BLOCK_LENGTH),
    createdAt: new Float64Array(BLOCK_LENGTH),
    ids: new Uint8Array(UUID_BYTES * BLOCK_LENGTH),
    globalRanks: new Int32Array(BLOCK_LENGTH),
    divisionRanks: new Int32Array(BLOCK_LENGTH),
    assisted: new Uint8Array(BLOCK_LENGTH),
  } satisfies SolveColumns
}

function addSolve(block: SolveBlock, { buffer, at }: CopiedRow) {
  const [
    team = -1,
    challenge = -1,
    createdAt = -1,
    id = -1,
    globalRank = -1,
    divisionRank = -1,
    assisted = -1,
  ] = at
  const i = block.length
  block.teamNumbers[i] = buffer.readInt32BE(team)
  block.challengeNumbers[i] = buffer.readInt32BE(challenge)
  block.createdAt[i] = millisAt(buffer, createdAt)
  // A fifth of the time of a copy by Buffer or TypedArray, and there are millions.
  for (let n = 0; n < UUID_BYTES; n += 1) block.ids[UUID_BYTES * i + n] = buffer[id + n] ?? 0
  block.globalRanks[i] = globalRank === -1 ? 0 : buffer.readInt32BE(globalRank)
  block.divisionRanks[i] = divisionRank === -1 ? 0 : buffer.readInt32BE(divisionRank)
  block.assisted[i] = buffer.readUInt8(assisted)
  block.length += 1
}

/** All feed events. If the teams of a two-day challenge score every minute, there are millions. */
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
    teamNumbers: new Int32Array(BLOCK_LENGTH),
    challengeNumbers: new Int32Array(BLOCK_LENGTH),
    ids: new Float64Array(BLOCK_LENGTH),
    at: new Float64Array(BLOCK_LENGTH),
    delta: new Float64Array(BLOCK_LENGTH),
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

/** Binary timestamps of PostgreSQL count microseconds from the year 2000. */
const postgresEpochMs = Date.UTC(2000, 0, 1)

/** Unix milliseconds of a binary timestamp, rounded down. */
function millisAt(buffer: Buffer, at: number): number {
  const micros = buffer.readInt32BE(at) * 2 ** 32 + buffer.readUInt32BE(at + 4)
  return Math.floor(micros / 1000) + postgresEpochMs
}
