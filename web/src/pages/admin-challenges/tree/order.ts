// Challenge order as in the API: by weight, challenges without a weight last, then by id descending.

interface Weighted {
  readonly id: string
  readonly sortWeight: number | null
}

export interface Weight {
  readonly id: string
  readonly sortWeight: number | null
}

/** Gap between new weights, so that a later move can insert without renumbering. */
const STEP = 10
/** Closer neighbours trigger renumbering: repeated halving runs out of floating-point precision. */
const LEAST_GAP = 1e-6

/**
 * Returns the weights to write so that `id` moves to index `to` of its category, which is given in order.
 * This is one weight if the neighbours leave a gap, otherwise weights for the whole category. Empty if it is
 * already there.
 */
export function weightsAfterMove(category: readonly Weighted[], id: string, to: number): Weight[] {
  const from = category.findIndex((challenge) => challenge.id === id)
  const moved = category[from]
  const place = Math.min(Math.max(to, 0), category.length - 1)
  if (!moved || place === from) return []
  const order = category.toSpliced(from, 1).toSpliced(place, 0, moved)
  const sortWeight = weightBetween(order[place - 1], order[place + 1])
  return sortWeight === null ? renumbered(order) : [{ id, sortWeight }]
}

/** Null if a neighbour has no weight or the gap is too small. */
function weightBetween(before: Weighted | undefined, after: Weighted | undefined): number | null {
  const low = before?.sortWeight
  const high = after?.sortWeight
  if (low === null || high === null) return null
  if (low !== undefined && high !== undefined) return high - low > LEAST_GAP ? (low + high) / 2 : null
  if (low !== undefined) return low + STEP
  return high === undefined ? null : high - STEP
}

/** The weights that change when all are renumbered. */
function renumbered(order: readonly Weighted[]): Weight[] {
  return order
    .map((challenge, at) => ({ id: challenge.id, was: challenge.sortWeight, sortWeight: (at + 1) * STEP }))
    .filter(({ was, sortWeight }) => was !== sortWeight)
    .map((changed) => ({ id: changed.id, sortWeight: changed.sortWeight }))
}

/** Returns the challenges in their new order, as the API will list them. */
export function withWeights<Challenge extends Weighted>(
  challenges: readonly Challenge[],
  weights: readonly Weight[],
): Challenge[] {
  const set = new Map(weights.map(({ id, sortWeight }) => [id, sortWeight]))
  return challenges
    .map((challenge) => {
      const sortWeight = set.get(challenge.id)
      return sortWeight === undefined ? challenge : { ...challenge, sortWeight }
    })
    .sort((a, b) => {
      const byWeight = (a.sortWeight ?? Infinity) - (b.sortWeight ?? Infinity)
      // NaN if both weights are unset.
      return byWeight || (a.id < b.id ? 1 : -1)
    })
}
