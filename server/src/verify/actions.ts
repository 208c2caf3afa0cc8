import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'

/** What `pennant verify` found out about the action log. */
export interface VerifiedActions {
  readonly entries: number
  /** Of the newest entry; zeros if there has never been one. */
  readonly head: { readonly seq: number; readonly hash: string }
  /** The first entry that is not as it was written, and how that shows; null if the chain is whole. */
  readonly broken: string | null
}

/** As text, exactly as the hash covers them. */
interface Entry {
  readonly id: string
  readonly previous_hash: string
  readonly hash: string
  readonly [column: string]: string | null
}

interface Chain {
  readonly seq: string
  readonly hash: string
  readonly pruned_seq: string
  readonly pruned_hash: string
}

/** In the order of the hash: docs/reference/actions.md#hash-of-an-entry */
const COVERED = [
  'previous_hash',
  'id',
  'at',
  'actor_id',
  'actor_name',
  'action',
  'route',
  'target',
  'keys',
  'before',
  'after',
  'ip',
  'request_id',
  'undoes',
]

const ENTRIES = `
  select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor_id, actor_name, action,
    route, target, array_to_json(keys)::text as keys, before::text, after::text, ip, request_id, undoes::text,
    previous_hash, hash
  from admin_actions where $1::bigint is null or id > $1::bigint order by admin_actions.id limit $2`

const BATCH = 500
/** Entries that the server keeps: with fewer, nothing has a reason to be missing at the beginning. */
const KEPT = 100_000
const START = '0'.repeat(64)

/**
 * Computes the chain of the action log again, without the code that writes it. `anchor` is a head hash of earlier, from the
 * server's log or a backup: it must still be in the chain. Run it in a repeatable-read transaction.
 */
export async function verifyActions(client: ClientBase, anchor: string | null): Promise<VerifiedActions> {
  const { rows: chains } = await client.query<Chain>(
    'select seq::text, hash, pruned_seq::text, pruned_hash from action_chain',
  )
  const [chain] = chains
  if (!chain || chains.length > 1)
    return { entries: 0, head: { seq: 0, hash: START }, broken: 'the head of the chain is missing' }
  const walk = await walkEntries(client, chain, anchor)
  const head = { seq: walk.seq, hash: walk.hash }
  const broken = walk.broken ?? problemAtEnd(chain, walk) ?? problemOfAnchor(walk, anchor)
  return { entries: walk.entries, head, broken }
}

interface Walk {
  readonly entries: number
  readonly seq: number
  readonly hash: string
  readonly hasAnchor: boolean
  readonly broken: string | null
}

async function walkEntries(client: ClientBase, chain: Chain, anchor: string | null): Promise<Walk> {
  let entries = 0
  let seq = Number(chain.pruned_seq)
  let hash = chain.pruned_hash
  let hasAnchor = anchor === hash
  // Without a lower bound: an inserted entry may have any number.
  let from: string | null = null
  for (;;) {
    const { rows }: { readonly rows: Entry[] } = await client.query<Entry>(ENTRIES, [from, BATCH])
    for (const entry of rows) {
      const problem = problemOf(entry, { seq, hash })
      if (problem !== null) return { entries, seq, hash, hasAnchor, broken: problem }
      entries += 1
      seq += 1
      hash = entry.hash
      hasAnchor ||= hash === anchor
    }
    from = rows.at(-1)?.id ?? from
    if (rows.length < BATCH) return { entries, seq, hash, hasAnchor, broken: null }
  }
}

function problemOf(entry: Entry, last: { readonly seq: number; readonly hash: string }): string | null {
  const expected = last.seq + 1
  const name = `entry ${entry.id} (${entry['action']} at ${entry['at']})`
  if (Number(entry.id) > expected) return `entry ${expected} is missing: the next one is ${name}`
  if (Number(entry.id) < expected) return `${name} was inserted, or is one that was pruned before`
  if (hashOf(entry) !== entry.hash) return `${name} does not have the content that its hash covers`
  return entry.previous_hash === last.hash ? null : `${name} does not follow the entry before it`
}

function problemAtEnd({ seq, hash, pruned_seq: pruned }: Chain, walk: Walk): string | null {
  if (Number(seq) > walk.seq) return `entry ${walk.seq + 1} is missing: the log had ${seq} entries`
  if (Number(seq) < walk.seq || hash !== walk.hash)
    return `entry ${walk.seq} was not added by the database: its head is entry ${seq} with another hash`
  return Number(pruned) > 0 && walk.entries < KEPT
    ? `entry ${pruned} and those before it are missing, although only ${walk.entries} are left and ${KEPT} are kept`
    : null
}

function problemOfAnchor({ hasAnchor, seq }: Walk, anchor: string | null): string | null {
  if (anchor === null || hasAnchor) return null
  return `no entry up to ${seq} has the hash ${anchor}: entries were removed or rewritten since it was the head`
}

/** Each field with its length in front, so that no two entries have the same text. */
function hashOf(entry: Entry): string {
  const hash = createHash('sha256')
  for (const column of COVERED) {
    const value = entry[column]
    hash.update(value === null || value === undefined ? '-;' : `${Buffer.byteLength(value)}:${value};`)
  }
  return hash.digest('hex')
}
