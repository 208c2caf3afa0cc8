import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { graphQuery } from '../../../api/queries.ts'
import { useConfig, useGate, useOwnTeam } from '../../../api/use-contest.ts'
import { liveGraphQuery, useLiveView } from '../live-view.tsx'
import type { Line } from '../../../ui/plots/draw.ts'

/** More lines could not be distinguished. */
const LINES = 10
/** Ranks whose lines stand out. */
export const TOP = 3

interface Wanted {
  readonly division: string | undefined
  readonly track?: string | undefined
  /** If false, nothing is requested. */
  readonly wanted?: boolean
}

/**
 * Scores over time of the top ten teams, and of the own team if it is ranked lower. `lines` is undefined
 * until loaded, and `query` has the status.
 */
export function useGraphLines({ division, track, wanted = true }: Wanted) {
  const { team } = useOwnTeam()
  const { isEarly } = useGate('leaderboardRead')
  // Ranks of the own team are those of the main standings.
  const isMain = track === undefined || track === 'main'
  const isHere = team !== undefined && isMain && (division === undefined || division === team.division)
  const place = isHere ? (division === undefined ? team.globalPlace : team.divisionPlace) : null
  const isBelow = place !== null && place > LINES
  const isLive = useLiveView()
  const queryOf = (range: { offset?: number; limit?: number }) =>
    isLive
      ? liveGraphQuery({ division, track, ...range })
      : graphQuery({ division, track, ...range, bypass: isEarly })
  const query = useQuery({ ...queryOf({}), enabled: wanted })
  const first = query.data
  const further = useQuery({
    ...queryOf({ offset: (place ?? 1) - 1, limit: 1 }),
    enabled: isBelow && wanted,
  }).data
  const own = team?.id
  const startTime = useConfig()?.startTime
  const lines = useMemo(() => {
    // Ranks may have changed since: the extra row can be one of the ten, or another team.
    const extra = (isBelow ? (further?.graph ?? []) : []).filter(({ id }) => id === own)
    const ten = first?.graph.filter(({ id }) => !extra.some((each) => each.id === id))
    return (
      ten &&
      [...ten, ...extra].map((each, at) => ({
        ...lineOf(each, own, startTime),
        isMinor: at >= TOP && each.id !== own,
      }))
    )
  }, [first, further, isBelow, own, startTime])
  return { lines, query }
}

interface GraphTeam {
  readonly id: string
  readonly name: string
  readonly points: readonly { readonly time: number; readonly score: number }[]
}

/** Makes lines of other teams of the API. */
export function useLineOf(own: string | undefined): (team: GraphTeam) => Line {
  const startTime = useConfig()?.startTime
  return (team) => lineOf(team, own, startTime)
}

/** The API returns the newest sample first, and none for the start of the event, where every line begins. */
function lineOf({ id, name, points }: GraphTeam, own: string | undefined, startTime = Infinity): Line {
  const samples = points.toReversed().map(({ time, score }) => [time, score] as const)
  const isStartMissing = startTime < (samples[0]?.[0] ?? -Infinity)
  return { name, isOwn: id === own, points: isStartMissing ? [[startTime, 0], ...samples] : samples }
}
