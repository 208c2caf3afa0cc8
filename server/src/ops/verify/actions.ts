import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'

/** What `pennant verify` found out about the action log. */
export interface VerifiedActions {
  readonly entries: number
  /** Of the newest entry; zeros if there has never been one. */
  readonly head: { readonly seq: number; readonly hash: string }
  /** Entries that are not as they were written, and how that shows: at most `MAX_BROKEN`; empty if the chain is whole. */
  readonly broken: readonly string[]
  readonly brokenCount: number
}

const MAX_BROKEN = 20

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
/** Covered by a digest with a salt each, so that they can be erased. Entries of older versions are covered as they are. */
const ERASABLE = ['actor_name', 'before', 'after', 'ip', 'person_name', 'api_token_name']
const COVERED_WITH_DIGESTS = [
  ...COVERED.filter((column) => !ERASABLE.includes(column)),
  'person_id',
  'api_token_id',
  'digests',
]
/** Covered only if there is a person: entries of older versions have none. */
const OF_PERSON = ['person_id', 'person_name']
/** With a fixed text before them, so that they cannot be taken for a person. */
const OF_API_TOKEN = ['api_token_id', 'api_token_name']

const ENTRIES = `
  select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor_id, actor_name, action,
    route, target, array_to_json(keys)::text as keys, before::text, after::text, ip, request_id, undoes::text,
    person_id, person_name, api_token_id, api_token_name, previous_hash, hash, salts::text, digests,
    erased_at::text
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
  const problems = createProblems()
  if (!chain || chains.length > 1) {
    problems.add('the head of the chain is missing')
    return { entries: 0, head: { seq: 0, hash: START }, ...problems.found() }
  }
  const walk = await walkEntries(client, chain, { anchor, problems })
  for (const problem of [...problemsAtEnd(chain, walk), ...problemOfAnchor(walk, anchor)])
    problems.add(problem)
  return { entries: walk.entries, head: { seq: walk.seq, hash: walk.hash }, ...problems.found() }
}

function createProblems() {
  const broken: string[] = []
  let brokenCount = 0
  return {
    add(problem: string): void {
      brokenCount += 1
      if (broken.length < MAX_BROKEN) broken.push(problem)
    },
    found: () => ({ broken, brokenCount }),
  }
}

/** The last entry that was read. */
interface Last {
  readonly seq: number
  readonly hash: string
  /** False after a broken entry: the next one may be whole, although its hash does not fit. */
  readonly isWhole: boolean
  /** An entry with digests was read: later ones have them too. */
  readonly hasDigests: boolean
}

interface Walk extends Last {
  readonly entries: number
  readonly hasAnchor: boolean
}

async function walkEntries(
  client: ClientBase,
  chain: Chain,
  {
    anchor,
    problems,
  }: { readonly anchor: string | null; readonly problems: ReturnType<typeof createProblems> },
): Promise<Walk> {
  let entries = 0
  let last: Last = {
    seq: Number(chain.pruned_seq),
    hash: chain.pruned_hash,
    isWhole: true,
    hasDigests: false,
  }
  let hasAnchor = anchor === last.hash
  // Without a lower bound: an inserted entry may have any number.
  let from: string | null = null
  for (;;) {
    const { rows }: { readonly rows: Entry[] } = await client.query<Entry>(ENTRIES, [from, BATCH])
    for (const entry of rows) {
      const found = problemsOf(entry, last)
      for (const problem of found) problems.add(problem)
      entries += 1
      const seq = Number(entry.id)
      if (seq <= last.seq) continue
      const hasDigests = last.hasDigests || entry['digests'] !== null
      last = { seq, hash: entry.hash, isWhole: found.length === 0, hasDigests }
      hasAnchor ||= entry.hash === anchor
    }
    from = rows.at(-1)?.id ?? from
    if (rows.length < BATCH) return { entries, ...last, hasAnchor }
  }
}

function problemsOf(entry: Entry, last: Last): string[] {
  const name = `entry ${entry.id} (${entry['action']} at ${entry['at']})`
  const seq = Number(entry.id)
  if (seq <= last.seq) return [`${name} was inserted, or is one that was pruned before`]
  const isNext = seq === last.seq + 1
  const missing = isNext ? [] : [`${missingFrom(last.seq + 1, seq - 1)}: the next one is ${name}`]
  if (!isAsWritten(entry, last)) return [...missing, `${name} does not have the content that its hash covers`]
  return isNext && last.isWhole && entry.previous_hash !== last.hash
    ? [`${name} does not follow the entry before it`]
    : missing
}

function missingFrom(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`
}

function problemsAtEnd({ seq: head, hash, pruned_seq: pruned }: Chain, walk: Walk): string[] {
  const seq = Number(head)
  const found: string[] = []
  if (seq > walk.seq) found.push(`${missingFrom(walk.seq + 1, seq)}: the log had ${seq} entries`)
  else if (seq < walk.seq || (walk.isWhole && hash !== walk.hash))
    found.push(`entry ${walk.seq} was not added by the database: its head is entry ${seq} with another hash`)
  if (Number(pruned) > 0 && walk.entries < KEPT)
    found.push(
      `entry ${pruned} and those before it are missing, although only ${walk.entries} are left and ${KEPT} are kept`,
    )
  return found
}

function problemOfAnchor({ hasAnchor, seq }: Walk, anchor: string | null): string[] {
  if (anchor === null || hasAnchor) return []
  return [
    `no entry up to ${seq} has the hash ${anchor}: entries were removed or rewritten since it was the head`,
  ]
}

/** Personal data may be erased. Of an entry of an older version with an erased field, only the place in the chain can be checked. */
function isAsWritten(entry: Entry, { hasDigests }: Last): boolean {
  if (entry['digests'] === null)
    return !hasDigests && (typeof entry['erased_at'] === 'string' || hashOf(entry) === entry.hash)
  return hashOf(entry) === entry.hash && ERASABLE.every((field) => isFieldAsWritten(entry, field))
}

function isFieldAsWritten(entry: Entry, field: string): boolean {
  const digest = jsonOf(entry['digests'])[field]
  const salt = jsonOf(entry['salts'])[field]
  const value = entry[field]
  if (digest === undefined) return value === null
  if (value === null || value === undefined) return salt === undefined
  return salt !== undefined && digestOf([salt, value]) === digest
}

function jsonOf(text: string | null | undefined): Readonly<Record<string, string | undefined>> {
  return JSON.parse(text ?? '{}') as Record<string, string>
}

function hashOf(entry: Entry): string {
  const valuesOf = (columns: readonly string[]) => columns.map((column) => entry[column])
  if (entry['digests'] !== null) return digestOf(valuesOf(COVERED_WITH_DIGESTS))
  return digestOf([
    ...valuesOf(COVERED),
    ...(entry['person_id'] === null ? [] : valuesOf(OF_PERSON)),
    ...(entry['api_token_id'] === null ? [] : ['API token', ...valuesOf(OF_API_TOKEN)]),
  ])
}

/** Each value with its length in front, so that no two entries have the same text. */
function digestOf(values: readonly (string | null | undefined)[]): string {
  const hash = createHash('sha256')
  for (const value of values)
    hash.update(value === null || value === undefined ? '-;' : `${Buffer.byteLength(value)}:${value};`)
  return hash.digest('hex')
}
