import { useQuery } from '@tanstack/react-query'
import { getLeaderboardChallenges } from '@pennant/contract/leaderboard.ts'
import { requestData } from '../../api/client.ts'
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
  const all = boardChallengesQuery({ bypass: isEarly })
  // First bloods and numbers of solves are those of the shown tracks.
  const ofTracks = {
    ...all,
    queryKey: [...all.queryKey, track],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      requestData(getLeaderboardChallenges, { query: { track } }, { signal, asTeam: isEarly, turn: 'later' }),
  }
  const query = useQuery({ ...(track === 'main' ? all : ofTracks), enabled: isOpen && wanted })
  return { challenges: query.data?.challenges, isForbidden: isBefore && !isOpen, failure: useFailure(query) }
}
