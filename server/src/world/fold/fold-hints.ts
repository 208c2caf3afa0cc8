import { groupBy } from '../../lib/group-by.ts'
import { createHints, hintReleaseAt } from '../hints.ts'
import type { Change } from '../model.ts'
import { bumpChallengeVersion, type State } from '../state.ts'

type HintsChange = Extract<Change, { readonly kind: 'hints' }>
type PurchasesChange = Extract<Change, { readonly kind: 'purchases' }>

/** Replaces the named hints in place. The caller counts them. */
export function foldHints(state: State, { rows, removed }: HintsChange): void {
  const byId = new Map(state.hints.byId)
  for (const id of removed) byId.delete(id)
  for (const row of rows) byId.set(row.id, row)
  state.hints = createHints(byId.values())
}

/** Replaces the purchases of the named teams in place. */
export function foldPurchases({ purchases }: State, { teamIds, rows }: PurchasesChange): void {
  const rowsOf = groupBy(rows, ({ teamId }) => teamId)
  for (const id of teamIds) {
    const own = rowsOf.get(id)
    if (own) purchases.set(id, own)
    else purchases.delete(id)
  }
}

/** Counts the released hints of each challenge, in place. */
export function countHints(state: State): void {
  for (const entry of state.challenges.sorted) {
    const hints = state.hints.byChallenge.get(entry.row.id) ?? []
    const released = hints.filter((hint) => (hintReleaseAt(hint, entry.row, state) ?? Infinity) <= state.now)
    if (released.length === entry.hintCount) continue
    entry.hintCount = released.length
    bumpChallengeVersion(state, entry)
  }
}
