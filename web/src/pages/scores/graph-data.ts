import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { graphQuery } from '../../api/queries.ts'
import { useGate, useOwnTeam } from '../../api/use-contest.ts'
import type { Line } from '../../ui/plots/draw.ts'

/** As many lines as can be told apart. */
const LINES = 10

interface Wanted {
  readonly division: string | undefined
  /** Nothing is asked for while it is not wanted. */
  readonly wanted?: boolean
}

/**
 * Scores over time of the first ten teams, and of the own team when it stands further down: `lines` is undefined until
 * known, and `query` tells why. So many entries of a legend are `awaited`.
 */
export function useGraphLines({ division, wanted = true }: Wanted) {
  const { team } = useOwnTeam()
  const { isEarly } = useGate('leaderboardRead')
  const isHere = team !== undefined && (division === undefined || division === team.division)
  const place = isHere ? (division === undefined ? team.globalPlace : team.divisionPlace) : null
  const isBelow = place !== null && place > LINES
  const query = useQuery({ ...graphQuery({ division, bypass: isEarly }), enabled: wanted })
  const first = query.data
  const further = useQuery({
    ...graphQuery({ division, offset: (place ?? 1) - 1, limit: 1, bypass: isEarly }),
    enabled: isBelow && wanted,
  }).data
  const own = team?.id
  const lines = useMemo(() => {
    // The places may have moved since: the row below may be one of the ten, or another team's.
    const extra = (isBelow ? (further?.graph ?? []) : []).filter(({ id }) => id === own)
    const ten = first?.graph.filter(({ id }) => !extra.some((each) => each.id === id))
    return ten && [...ten, ...extra].map((line) => lineOf(line, own))
  }, [first, further, isBelow, own])
  // The moment of the cursor has an entry of its own.
  return { lines, awaited: LINES + (isBelow ? 1 : 0) + 1, query }
}

interface GraphTeam {
  readonly id: string
  readonly name: string
  readonly points: readonly { readonly time: number; readonly score: number }[]
}

/** The API gives the newest first. */
function lineOf({ id, name, points }: GraphTeam, own: string | undefined): Line {
  return {
    name,
    isOwn: id === own,
    points: points.toReversed().map(({ time, score }) => [time, score] as const),
  }
}
