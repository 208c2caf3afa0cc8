import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { graphQuery } from '../../api/queries.ts'
import { useGate } from '../../api/use-contest.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useMessages } from '../../text/messages.ts'
import { useMedia } from '../../ui/use-media.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import type { Team } from './team.ts'
import styles from './profile.module.css'
import { hasScored, lineFromSamples, lineFromSolves, type Span } from './score-line.ts'

const ScoreGraph = lazy(async () => ({ default: (await import('../../ui/plots/plots.tsx')).ScoreGraph }))

const WIDE_PX = 220
const NARROW_PX = 180

interface ScoreOverTimeProps {
  readonly id: string
  readonly team: Team
  readonly span: Span
}

/** Score graph of the team. Falls back to summing the solves if the graph has no line for the team. */
export function ScoreOverTime({ id, team, span }: ScoreOverTimeProps) {
  const text = useMessages(profileMessages)
  const { isOpen, isEarly } = useGate('leaderboardRead')
  const place = team.globalPlace
  const asked = isOpen && place !== null
  const query = useQuery({
    ...graphQuery({ offset: (place ?? 1) - 1, limit: 1, bypass: isEarly }),
    enabled: asked,
  })
  // Ranks may have changed since: the row can belong to another team.
  const row = place === null ? undefined : query.data?.graph.find((each) => each.id === id)
  const lines = useMemo(() => {
    const points = row ? lineFromSamples(row.points, span) : lineFromSolves(team.solves, span)
    return [{ name: text.score, isOwn: true, points }]
  }, [row, team.solves, span, text])
  const height = useMedia('(min-width: 1024px)') ? WIDE_PX : NARROW_PX
  const isWaiting = asked && query.isPending && query.failureCount === 0
  const waiting = <Skeleton height={`${height}px`} />
  if (!isWaiting && !hasScored(team, row?.points)) return <EmptyState isPart>{text.noScore}</EmptyState>
  const summed = team.dynamicScores.length > 0 ? text.summedWithoutLive : text.summed
  return (
    <>
      <div className={styles.graph}>
        {isWaiting ? (
          waiting
        ) : (
          <Suspense fallback={waiting}>
            <ScoreGraph label={text.scoreOverTime} lines={lines} now={span.to} height={height} />
          </Suspense>
        )}
      </div>
      {!row && !isWaiting && <p className={styles.note}>{summed}</p>}
    </>
  )
}
