import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { runMany } from '../../layout/organiser-list/run-many.ts'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import type { AdminChallenge } from './draft.ts'
import { weightsAfterMove, withWeights, type Weight } from './order.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from './queries.ts'

export interface Move {
  readonly challenge: AdminChallenge
  /** Places in its category, downwards. */
  readonly by: number
}

/** Moves that wait for those before them to be written. So many presses ahead of the server, something is wrong with it. */
const MOST_WAITING = 20

/** Puts challenges in order at once, writes it one move after the other, and takes the last one back. */
export function useMoves() {
  const client = useQueryClient()
  const { writeAll, failure } = useWeights()
  /** The name of the challenge that was moved last, as long as that can be taken back. */
  const [last, setLast] = useState<string | null>(null)
  /** What the last move has overwritten. */
  const before = useRef<readonly Weight[]>([])
  const waiting = useRef(0)
  const written = useRef(Promise.resolve())

  /** `weightsIn` the list as it stands then: a press may come before what the last one did is drawn. */
  const write = async (weightsIn: (all: readonly AdminChallenge[]) => readonly Weight[]) => {
    waiting.current += 1
    // An answer from before the move would put it back under the hand.
    await client.cancelQueries({ queryKey: challengesKey, exact: true })
    const all = client.getQueryData(allChallengesQuery.queryKey) ?? []
    const weights = weightsIn(all)
    if (weights.length > 0) {
      client.setQueryData(allChallengesQuery.queryKey, withWeights(all, weights))
      written.current = written.current.then(() => writeAll(weights))
    }
    await written.current
    waiting.current -= 1
    // The list alone: the open challenge is not read anew under the hand.
    if (waiting.current === 0) await client.invalidateQueries({ queryKey: challengesKey, exact: true })
  }

  const move = ({ challenge, by }: Move) => {
    if (waiting.current >= MOST_WAITING) return
    void write((all) => {
      const category = all.filter((each) => each.category === challenge.category)
      const at = category.findIndex(({ id }) => id === challenge.id)
      const weights = weightsAfterMove(category, challenge.id, at + by)
      if (weights.length === 0) return []
      before.current = category
        .filter(({ id }) => weights.some((weight) => weight.id === id))
        .map(({ id, sortWeight }) => ({ id, sortWeight }))
      setLast(challenge.name === '' ? challenge.id : challenge.name)
      return weights
    })
  }
  const undo = async () => {
    setLast(null)
    await write(() => before.current)
  }
  return { move, undo, last, failure }
}

/** Writes weights, never some of them only, and keeps why one was refused. */
function useWeights() {
  const why = useWhy()
  const [failure, setFailure] = useState<string | null>(null)
  const writeAll = async (weights: readonly Weight[]) => {
    let failed: string | null = null
    await runMany(weights, {
      deed: ({ id, sortWeight }) => why(writeChallenge(id, { sortWeight })),
      onProgress({ failures }) {
        failed = failures.at(-1)?.why ?? null
      },
      // Never given up: half an order is none.
      signal: new AbortController().signal,
    })
    setFailure(failed)
  }
  return { writeAll, failure }
}
