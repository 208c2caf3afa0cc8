import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Trend } from '@pennant/contract/leaderboard.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { boardQuery } from './queries.ts'
import { useGate, useOwnTeam } from './use-contest.ts'

/** The trend of the own team, which all parts of the page share. Undefined until it is known, and without a rank. */
export function useOwnTrend({ isWanted = true } = {}): z.output<typeof Trend> | undefined {
  const { team } = useOwnTeam()
  const { isOpen, isEarly } = useGate('leaderboardRead')
  const place = team?.globalPlace ?? null
  const { data } = useQuery({
    ...boardQuery({ page: (place ?? 1) - 1, limit: 1, everyMs: MINUTE_MS, bypass: isEarly }),
    enabled: isWanted && isOpen && place !== null,
  })
  // The rank may have changed since, and then the row is another team's.
  return place === null ? undefined : data?.leaderboard.find(({ id }) => id === team?.id)?.trend
}
