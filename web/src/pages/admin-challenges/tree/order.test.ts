import { expect, test } from 'vitest'
import { weightsAfterMove, withWeights } from './order.ts'

const list = (...weights: (number | null)[]) =>
  weights.map((sortWeight, at) => ({ id: 'fedcba'[at] ?? '', sortWeight }))

/** Returns the order after the weights are applied. */
function orderAfter(category: ReturnType<typeof list>, id: string, to: number): string {
  const written = new Map(weightsAfterMove(category, id, to).map((weight) => [weight.id, weight.sortWeight]))
  return category
    .map((challenge) => ({
      id: challenge.id,
      weight: written.get(challenge.id) ?? challenge.sortWeight ?? 1e9,
    }))
    .toSorted((a, b) => a.weight - b.weight || (a.id < b.id ? 1 : -1))
    .map((challenge) => challenge.id)
    .join('')
}

test('every move results in the requested order', () => {
  for (const weights of [
    [1, 2, 3, 4],
    [null, null, null, null],
    [1, 2, null, null],
    [5, 5, 5, 5],
    [-3, 0, 0.5, 7],
  ])
    for (let from = 0; from < 4; from++)
      for (let to = 0; to < 4; to++) {
        if (from === to) continue
        const category = list(...weights)
        const ids = category.map(({ id }) => id)
        const [moved = ''] = ids.splice(from, 1)
        ids.splice(to, 0, moved)
        expect(orderAfter(category, moved, to), `${weights} ${from} ${to}`).toBe(ids.join(''))
      }
})

test('one weight is written if the neighbours leave a gap', () => {
  expect(weightsAfterMove(list(10, 20, 30), 'd', 1)).toEqual([{ id: 'd', sortWeight: 15 }])
  expect(weightsAfterMove(list(10, 20, 30), 'f', 2)).toEqual([{ id: 'f', sortWeight: 40 }])
})

test('moving to the same position or moving an unknown challenge writes nothing', () => {
  expect(weightsAfterMove(list(1, 2), 'f', 0)).toEqual([])
  expect(weightsAfterMove(list(1, 2), 'f', -5)).toEqual([])
  expect(weightsAfterMove(list(1, 2), 'x', 0)).toEqual([])
})

test('a list with new weights is in the order of the API', () => {
  const challenges = list(10, 20, null, null)
  const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id).join('')
  expect(ids(withWeights(challenges, []))).toBe('fedc')
  expect(ids(withWeights(challenges, [{ id: 'd', sortWeight: 15 }]))).toBe('fdec')
  // Undo: the weight is removed again.
  expect(ids(withWeights(list(10, 20, 15, null), [{ id: 'd', sortWeight: null }]))).toBe('fedc')
})
