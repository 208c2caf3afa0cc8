/** Teams that are remembered between two refreshes: what forty pages hold. */
const MOST_REMEMBERED = 1000

export interface Standing {
  readonly id: string
  readonly place: number
  readonly score: number
}

/** What a refresh changed for one team. */
export interface Change {
  readonly place: number
  readonly score: number
  /** Places gained; negative for lost ones. */
  readonly up: number
  readonly isNewScore: boolean
}

/** Compares a page that just arrived with what was known of its teams. Teams on other pages stay as they were. */
export function changesOf(
  before: ReadonlyMap<string, Change>,
  rows: readonly Standing[],
): ReadonlyMap<string, Change> {
  const after = new Map(before)
  for (const { id, place, score } of rows) {
    const known = before.get(id)
    // Set anew, so that the oldest come first.
    after.delete(id)
    const up = known ? known.place - place : 0
    after.set(id, { place, score, up, isNewScore: known !== undefined && known.score !== score })
  }
  for (const id of after.keys()) {
    if (after.size <= MOST_REMEMBERED) break
    after.delete(id)
  }
  return after
}

/** Points between a team and its neighbours of the order; null where there is none, or it is not here. */
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
