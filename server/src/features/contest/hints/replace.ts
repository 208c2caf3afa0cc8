import { isDeepStrictEqual } from 'node:util'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import type { HintRow } from './rows.ts'
import { contentOf, type HintContent } from './rules.ts'
import { addHint, countPurchases, deleteHint, findHints, patchHint, writeOrder } from './store.ts'

/** Which stored hint each given one replaces; null for a new one. */
export interface HintMatch {
  readonly pairs: readonly { readonly content: HintContent; readonly row: HintRow | null }[]
  readonly removed: readonly HintRow[]
  /** A hint that teams bought, and for which it is unclear whether it is deleted or which one replaces it. Counts from 1. */
  readonly unclear: number | null
}

/**
 * Compares the stored hints of a challenge with a list that has no ids. Equal texts are the same hint; the others replace each other
 * in their order. Purchases belong to a hint, so where the numbers differ, nothing that teams bought is replaced or deleted.
 */
export function matchHints(
  stored: readonly HintRow[],
  given: readonly HintContent[],
  isBought: (id: string) => boolean,
): HintMatch {
  const left = [...stored]
  const equal = given.map(({ text }) => {
    const at = left.findIndex((row) => row.text === text)
    return at === -1 ? null : (left.splice(at, 1)[0] ?? null)
  })
  const missing = equal.filter((row) => row === null).length
  const bought = left.length === missing ? undefined : left.find(({ id }) => isBought(id))
  const unclear = bought ? stored.indexOf(bought) + 1 : null
  const pairs = given.map((content, at) => ({ content, row: equal[at] ?? left.shift() ?? null }))
  return { pairs, removed: left, unclear }
}

export interface Replacement {
  readonly challengeId: string
  /** What the caller has compared the list with. */
  readonly stored: readonly HintRow[]
  readonly given: readonly HintContent[]
}

/** Writes a list of hints in the caller's transaction. False if the stored ones changed since, or a limit was reached. */
export async function replaceHints(
  tx: ChangeTransaction,
  { challengeId, stored, given }: Replacement,
  by: ActionBy,
): Promise<boolean> {
  const rows = (await findHints(tx, [challengeId])).get(challengeId) ?? []
  if (!isDeepStrictEqual(rows, stored)) return false
  const purchases = await countPurchases(
    tx,
    rows.map(({ id }) => id),
  )
  const { pairs, removed, unclear } = matchHints(rows, given, (id) => purchases.has(id))
  if (unclear !== null) return false
  for (const row of removed) await deleteHint(tx, row, by)
  const ids: string[] = []
  const added: string[] = []
  for (const { content, row } of pairs) {
    if (row) await update(tx, { row, content }, by)
    const written = row ?? (await addHint(tx, challengeId, { texts: content, by }))
    if (typeof written === 'string' || !('id' in written)) return false
    if (!row) added.push(written.id)
    ids.push(written.id)
  }
  const before = [...rows.filter((row) => !removed.includes(row)).map(({ id }) => id), ...added]
  if (!isDeepStrictEqual(before, ids)) await writeOrder(tx, challengeId, { before, hintIds: ids, by })
  return true
}

interface Pair {
  readonly row: HintRow
  readonly content: HintContent
}

/** One that organisers have released by hand stays released. */
async function update(tx: ChangeTransaction, { row, content }: Pair, by: ActionBy): Promise<void> {
  const old = contentOf(row)
  if (isDeepStrictEqual(old, content)) return
  const { text, price, release } = content
  const patch = { text, price, release: isDeepStrictEqual(old.release, release) ? undefined : release }
  await patchHint(tx, row, { patch, by })
}
