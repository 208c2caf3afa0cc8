import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { runMany } from '../../../organisers/run-many.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import type { AdminChallenge } from '../draft.ts'
import { weightsAfterMove, withWeights, type Weight } from './order.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from '../queries.ts'

export interface Move {
  readonly challenge: AdminChallenge
  /** Positions to move within its category, downwards. */
  readonly by: number
}

/** Maximum number of queued moves. If the server is this far behind, something is wrong. */
const MAX_WAITING = 20

/** Reorders challenges optimistically, writes one move after the other, and undoes the last one. */
export function useMoves() {
  const client = useQueryClient()
  const { writeAll, failure } = useWeights()
  /** Name of the last moved challenge while the move can be undone. */
  const [last, setLast] = useState<string | null>(null)
  /** The weights that the last move overwrote. */
  const before = useRef<readonly Weight[]>([])
  const waiting = useRef(0)
  const written = useRef(Promise.resolve())

  /** `weightsIn` gets the current cached list: a click can come before the previous move is rendered. */
  const write = async (weightsIn: (all: readonly AdminChallenge[]) => readonly Weight[]) => {
    waiting.current += 1
    // A response from before the move would revert it on screen.
    await client.cancelQueries({ queryKey: challengesKey, exact: true })
    const all = client.getQueryData(allChallengesQuery.queryKey) ?? []
    const weights = weightsIn(all)
    if (weights.length > 0) {
      client.setQueryData(allChallengesQuery.queryKey, withWeights(all, weights))
      written.current = written.current.then(() => writeAll(weights))
    }
    await written.current
    waiting.current -= 1
    // Invalidate only the list, so that the open challenge is not refetched while it is being edited.
    if (waiting.current === 0) await client.invalidateQueries({ queryKey: challengesKey, exact: true })
  }

  const move = ({ challenge, by }: Move) => {
    if (waiting.current >= MAX_WAITING) return
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

/** Writes all weights, and keeps the reason if one was rejected. */
function useWeights() {
  const why = useFailureMessage()
  const [failure, setFailure] = useState<string | null>(null)
  const writeAll = async (weights: readonly Weight[]) => {
    let failed: string | null = null
    await runMany(weights, {
      run: ({ id, sortWeight }) => why(writeChallenge(id, { sortWeight })),
      onProgress({ failures }) {
        failed = failures.at(-1)?.why ?? null
      },
      // Never aborted: a partly written order is useless.
      signal: new AbortController().signal,
    })
    setFailure(failed)
  }
  return { writeAll, failure }
}
