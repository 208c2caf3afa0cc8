import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { graphQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ScoreGraph } from '../../ui/plots/plots.tsx'
import { words } from './words.ts'

/** The plot is drawn anew only so often: its buckets are minutes long. */
const STEP_MS = 60_000
const GRAPH_PX = 220

/** The first ten teams over time, the own one in its colour when it is among them. */
export function Graph({ division }: { readonly division: string | undefined }) {
  const text = useText(words)
  const query = useQuery(graphQuery({ division }))
  const own = useOwnTeam().team?.id
  const now = useTimed((at) => Math.ceil(at / STEP_MS) * STEP_MS)
  const lines = useMemo(
    () =>
      query.data?.graph.map(({ id, name, points }) => ({
        name,
        isOwn: id === own,
        // The API gives the newest first.
        points: points.toReversed().map(({ time, score }) => [time, score] as const),
      })),
    [query.data, own],
  )
  if (!lines) return <Skeleton height={`${GRAPH_PX}px`} />
  if (lines.length === 0) return <EmptyState>{text.noTeams}</EmptyState>
  return <ScoreGraph label={text.graphOf} lines={lines} now={now} height={GRAPH_PX} />
}
