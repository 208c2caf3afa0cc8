import { hintLimits, listAdminHints } from '@pennant/contract/hints.ts'
import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { ArchiveKind, FieldProblem, OpenField, PlannedField, RemoteSite } from '../kinds/archive-kind.ts'
import { matchHints, replaceHints } from './replace.ts'
import { hintsOf } from './rows.ts'
import { contentOf, type HintContent } from './rules.ts'
import { countPurchases, findHints } from './store.ts'

type Value = readonly HintContent[]
type Stored = Awaited<ReturnType<typeof findHints>>

/** The hints of a challenge in an archive. Players pay for them, so that an import never deletes or replaces what they have bought. */
export const hintArchive: ArchiveKind<Value> = {
  field: 'hints',
  stored: (world) => (row) => hintsOf(world, row.id).map(contentOf),
  async fetch(site, ids) {
    const found = await Promise.all(
      ids.map((id) => site.inTurn(async () => [id, await fetchHints(site, id)] as const)),
    )
    const hints = new Map(found)
    return ({ id }) => hints.get(id) ?? []
  },
  open,
}

async function fetchHints({ call, refused }: RemoteSite, id: string): Promise<Value> {
  const result = await call(listAdminHints, { params: { id } })
  if (result.kind !== 'goodAdminHints') throw refused(result, `${id}: `)
  return result.data.hints.map(({ text, price, release }) => ({ text, price, release }))
}

async function open(db: Queries, ids: readonly string[]): Promise<OpenField<Value>> {
  const stored = await findHints(db, ids)
  const rowsOf = (id: string) => stored.get(id) ?? []
  return {
    valueOf: ({ id }) => rowsOf(id).map(contentOf),
    versionOf: (id) => rowsOf(id).map((hint) => [hint.id, hint.version]),
    check: (planned) => check(db, stored, planned),
    write: (tx, id, { value, by }) =>
      replaceHints(tx, { challengeId: id, stored: rowsOf(id), given: value }, by),
  }
}

async function check(
  db: Queries,
  stored: Stored,
  planned: readonly PlannedField<Value>[],
): Promise<FieldProblem[]> {
  const changed = planned.flatMap(({ id, value = [], fields }) =>
    fields.includes('hints') ? [{ id, value, rows: stored.get(id) ?? [] }] : [],
  )
  const purchases = await countPurchases(
    db,
    changed.flatMap(({ rows }) => rows.map(({ id }) => id)),
  )
  let added = 0
  const problems = changed.flatMap(({ id, value, rows }): FieldProblem[] => {
    const { unclear } = matchHints(rows, value, (hint) => purchases.has(hint))
    added += value.length - rows.length
    return unclear === null ? [] : [{ id, reason: `hints: ${unclearHint(unclear)}` }]
  })
  if (added <= 0) return problems
  const [all] = await db.query<{ count: number }>(sql`select count(*) as count from hints`)
  if ((all?.count ?? 0) + added <= hintLimits.stored) return problems
  return [...problems, { id: null, reason: `all challenges would have more than ${hintLimits.stored} hints` }]
}

function unclearHint(number: number): string {
  return `teams bought hint ${number} of the site, whose text is missing here; keep it, or delete it on the site, with a refund`
}
