import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { runMany } from '../../layout/organiser-list/run-many.ts'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import type { AdminChallenge } from './draft.ts'
import { weightsAfterMove, withWeights, type Weight } from './order.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from './queries.ts'

export interface Move {
  /** In order. */
  readonly category: readonly AdminChallenge[]
  readonly id: string
  /** The place in the category, from 0. */
  readonly to: number
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

  const write = async (weights: readonly Weight[]) => {
    waiting.current += 1
    // An answer from before the move would put it back under the hand.
    await client.cancelQueries({ queryKey: challengesKey, exact: true })
    client.setQueryData(allChallengesQuery.queryKey, (all) => all && withWeights(all, weights))
    const done = written.current.then(() => writeAll(weights))
    written.current = done
    await done
    waiting.current -= 1
    // The list alone: the open challenge is not read anew under the hand.
    if (waiting.current === 0) await client.invalidateQueries({ queryKey: challengesKey, exact: true })
  }

  const move = ({ category, id, to }: Move) => {
    const weights = weightsAfterMove(category, id, to)
    if (weights.length === 0 || waiting.current >= MOST_WAITING) return
    before.current = category
      .filter((challenge) => weights.some((weight) => weight.id === challenge.id))
      .map((challenge) => ({ id: challenge.id, sortWeight: challenge.sortWeight }))
    setLast(category.find((challenge) => challenge.id === id)?.name ?? id)
    void write(weights)
  }
  const undo = async () => {
    setLast(null)
    await write(before.current)
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
