import { useQuery } from '@tanstack/react-query'
import { boardChallengesQuery } from '../../api/queries.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { useGate, usePhase } from '../../api/use-contest.ts'

/**
 * What the board knows of the challenges; undefined until it does. Before the start that takes another right than the
 * standings do: `isForbidden` when it is missing. Nothing is asked for while it is not `wanted`.
 */
export function useBoardChallenges({ wanted = true } = {}) {
  const { isOpen, isEarly } = useGate('challsRead')
  const isBefore = usePhase() === 'before'
  const query = useQuery({ ...boardChallengesQuery({ bypass: isEarly }), enabled: isOpen && wanted })
  return { challenges: query.data?.challenges, isForbidden: isBefore && !isOpen, trouble: useTrouble(query) }
}
