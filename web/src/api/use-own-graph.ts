import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { graphQuery } from './queries.ts'

interface OwnGraph {
  readonly id: string
  readonly place: number | null
  /** Whether to request what no other page has requested. */
  readonly isAsked: boolean
}

/** The score graph of the viewer's team, oldest point first; empty without data. */
export function useOwnGraph({ id, place, isAsked }: OwnGraph) {
  const first = useQuery({ ...graphQuery({}), enabled: false }).data
  const own = useQuery({
    ...graphQuery({ offset: (place ?? 1) - 1, limit: 1 }),
    enabled: isAsked && place !== null,
  }).data
  return useMemo(() => {
    const team = [...(own?.graph ?? []), ...(first?.graph ?? [])].find((each) => each.id === id)
    return team ? team.points.toReversed() : []
  }, [first, own, id])
}
