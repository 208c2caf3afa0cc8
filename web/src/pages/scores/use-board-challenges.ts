import { useQuery } from '@tanstack/react-query'
import { boardChallengesQuery } from '../../api/queries.ts'
import { useFailure } from '../../api/use-failure.ts'
import { useGate, usePhase } from '../../api/use-contest.ts'
import { useAddress } from './use-address.ts'

/**
 * Scoreboard data of the challenges; undefined until loaded. Before the start this needs a different
 * permission than the standings: `isForbidden` if it is missing. Nothing is requested unless `wanted`.
 */
export function useBoardChallenges({ wanted = true } = {}) {
  const { isOpen, isEarly } = useGate('challsRead')
  const isBefore = usePhase() === 'before'
  const { track = 'main' } = useAddress().filter
  const query = useQuery({
    ...boardChallengesQuery({ bypass: isEarly, track: track === 'main' ? '' : track }),
    enabled: isOpen && wanted,
  })
  return { challenges: query.data?.challenges, isForbidden: isBefore && !isOpen, failure: useFailure(query) }
}
