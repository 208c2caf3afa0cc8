// The order of challenges: by weight, those without one last, then by id downwards, as lists of the API have it.

interface Weighted {
  readonly id: string
  readonly sortWeight: number | null
}

export interface Weight {
  readonly id: string
  readonly sortWeight: number | null
}

/** Between the weights of neighbours, so that a later move finds room without touching others. */
const STEP = 10
/** A nearer pair is set anew: halved again and again, the space between two numbers ends. */
const LEAST_GAP = 1e-6

/**
 * The weights to write so that `id` stands at place `to` of its category, whose challenges are given in order. One where
 * its neighbours leave room, else of the whole category. Empty when it stands there.
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

/** Null where neighbours have no weight, or leave no room. */
function weightBetween(before: Weighted | undefined, after: Weighted | undefined): number | null {
  const low = before?.sortWeight
  const high = after?.sortWeight
  if (low === null || high === null) return null
  if (low !== undefined && high !== undefined) return high - low > LEAST_GAP ? (low + high) / 2 : null
  if (low !== undefined) return low + STEP
  return high === undefined ? null : high - STEP
}

/** The weights that change when all are set anew. */
function renumbered(order: readonly Weighted[]): Weight[] {
  return order
    .map((challenge, at) => ({ id: challenge.id, was: challenge.sortWeight, sortWeight: (at + 1) * STEP }))
    .filter(({ was, sortWeight }) => was !== sortWeight)
    .map((changed) => ({ id: changed.id, sortWeight: changed.sortWeight }))
}

/** In their new order, as the list of the API will have it. */
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
      // Two unset weights differ by NaN.
      return byWeight || (a.id < b.id ? 1 : -1)
    })
}
