import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey, ownTeamQuery } from '../../api/queries.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'
import type { Outcome } from './use-submission.ts'

/** Site specification 2.5: so long after a right flag the lists are read anew, spread by as much again. */
const REFETCH_AFTER_MS = 250
const REFETCH_SPREAD_MS = 500
const LISTS = [ownTeamQuery.queryKey, ['challenges'], ['board-challenges'], ['board']] as const

/** What follows a solve: it is marked at once, told with the place, and every list learns of it soon. */
export function useAccepted({ id, name, category, points, solves }: Challenge) {
  const text = useText(words)
  const format = useFormat()
  const queries = useQueryClient()
  return async (isNew: boolean, tell: (outcome: Outcome) => void): Promise<void> => {
    const said = isNew ? text.correct(format.number(points)) : text.solvedAlready
    tell({ tone: 'ok', text: said })
    queries.setQueryData(ownTeamQuery.queryKey, (team) => {
      if (!team || team.solves.some((solve) => solve.id === id)) return team
      const own = { id, name, category, points, solves, createdAt: Date.now() }
      return { ...team, solves: [{ ...own, awardedPoints: points, bloodIndex: null }, ...team.solves] }
    })
    const refetch = () => {
      for (const queryKey of [...LISTS, [ownKey, 'solves', id]]) void queries.invalidateQueries({ queryKey })
    }
    setTimeout(refetch, REFETCH_AFTER_MS + REFETCH_SPREAD_MS * Math.random())
    if (!isNew) return
    const query = { limit: '1', offset: '0' }
    const position = await ask(listSolvesV2, { params: { id }, query }, { asTeam: true })
      .then((answer) => answer.mySolvePosition)
      // The flag was right: that the place is not known changes nothing.
      .catch(() => null)
    if (typeof position !== 'number') return
    const blood = text.blood[position - 1]
    const place = blood ?? text.position(text.ordinal(position))
    tell({ tone: 'ok', text: `${said} ${place}`, ...(blood !== undefined && { blood: position }) })
  }
}
