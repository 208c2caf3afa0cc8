/** Maximum number of teams remembered between refreshes: forty pages of rows. */
const MAX_REMEMBERED = 1000

export interface Standing {
  readonly id: string
  readonly place: number
  readonly score: number
}

/** What the last refresh changed for one team. */
export interface Change {
  readonly score: number
  readonly isNewScore: boolean
}

/** Compares a newly loaded page with the known standings. Teams on other pages are unchanged. */
export function changesOf(
  before: ReadonlyMap<string, Change>,
  rows: readonly Standing[],
): ReadonlyMap<string, Change> {
  const after = new Map(before)
  for (const { id, score } of rows) {
    const known = before.get(id)
    // Reinsert, so that the least recently updated entries come first.
    after.delete(id)
    after.set(id, { score, isNewScore: known !== undefined && known.score !== score })
  }
  for (const id of after.keys()) {
    if (after.size <= MAX_REMEMBERED) break
    after.delete(id)
  }
  return after
}

/** Point gaps to the neighbours; null if there is no neighbour or it is not loaded. */
export function gapsOf(
  rows: readonly (Standing | undefined)[],
  id: string,
): { readonly above: number | null; readonly below: number | null } {
  const at = rows.findIndex((row) => row?.id === id)
  const [above, own, below] = at < 0 ? [] : [rows[at - 1], rows[at], rows[at + 1]]
  return {
    above: own && above ? above.score - own.score : null,
    below: own && below ? own.score - below.score : null,
  }
}
