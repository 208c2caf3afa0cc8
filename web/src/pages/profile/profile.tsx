import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { challengesQuery, graphQuery } from '../../api/queries.ts'
import { useConfig, useGate } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import { paths } from '../../paths.ts'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Head } from './head.tsx'
import styles from './profile.module.css'
import { useHasResults } from './has-results.ts'
import { categoryPoints, isAdjusted } from './solve-rows.ts'
import { SolveTable } from './solve-table.tsx'
import type { Challenge, OwnFacts, Team } from './team.ts'
import { Timeline } from './timeline.tsx'
import { Body } from './waiting.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { hasScored, lineFromSamples, lineFromSolves, type Span } from './score-line.ts'

// Lazy: most teams have neither, and each would add requests to the first visit.
const AdjustmentsPart = lazy(async () => ({
  default: (await import('./adjustments.tsx')).AdjustmentsPart,
}))
const OwnSolves = lazy(async () => ({ default: (await import('./own-solves.tsx')).OwnSolves }))
const AnswersPart = lazy(async () => ({ default: (await import('./answers.tsx')).AnswersPart }))
const FrozenNote = lazy(async () => ({ default: (await import('./frozen-note.tsx')).FrozenNote }))

interface ProfileProps {
  readonly id: string
  readonly team: Team
  readonly times: { readonly startTime: number; readonly endTime: number }
  readonly own?: OwnFacts
}

/** Minimum interval between redraws of graph and timeline. */
const STEP_MS = MINUTE_MS

/** Results of a team. */
export function Profile({ id, team, times: { startTime, endTime }, own }: ProfileProps) {
  const now = useTimed((at) => Math.min(Math.ceil(at / STEP_MS) * STEP_MS, endTime))
  const last = Math.max(now, startTime + STEP_MS, ...team.solves.map(({ createdAt }) => createdAt))
  const span = useMemo(() => ({ from: startTime, to: last }), [startTime, last])
  const text = useMessages(profileMessages)
  // A team always knows its own score and solves: docs/operate/closed-events.md
  const hasResults = useHasResults(team.division) || own !== undefined
  const { freezeTime, fields: asksMore } = useConfig() ?? {}
  const { isOpen, isEarly } = useGate('challsRead')
  const query = useQuery({ ...challengesQuery({ bypass: isEarly }), enabled: isOpen })
  const isWaiting = isOpen && query.isPending && query.failureCount === 0
  return (
    <div className={styles.page}>
      {freezeTime !== undefined && (
        <Suspense>
          <FrozenNote isOwn={own !== undefined} />
        </Suspense>
      )}
      <Head id={id} team={team} own={own} />
      {asksMore && (
        <Suspense>
          <AnswersPart id={id} isOwn={own !== undefined} />
        </Suspense>
      )}
      {!hasResults && <EmptyState isPart>{text.resultsClosed}</EmptyState>}
      {hasResults &&
        (isWaiting ? <Body /> : <Parts {...{ id, team, span, own }} challenges={query.data ?? []} />)}
    </div>
  )
}

interface PartsProps {
  readonly id: string
  readonly team: Team
  readonly span: { readonly from: number; readonly to: number }
  readonly own: OwnFacts | undefined
  readonly challenges: readonly Challenge[]
}

function Parts({ id, team, span, own, challenges }: PartsProps) {
  const text = useMessages(profileMessages)
  const { solves, dynamicScores } = team
  const namesSolvers = useConfig()?.people !== undefined && own !== undefined
  const has = {
    categories: challenges.length > 0,
    timeline: solves.length > 0,
    live: dynamicScores.length > 0,
  }
  const nav = [
    { part: 'score', title: text.scoreOverTime },
    ...(has.categories ? [{ part: 'categories', title: text.categories }] : []),
    ...(has.live ? [{ part: 'live', title: text.scoredLive }] : []),
    ...(has.timeline ? [{ part: 'timeline', title: text.timeline }] : []),
    { part: 'solves', title: text.solves },
  ]
  return (
    <>
      <nav className={styles.nav} aria-label={text.parts}>
        {nav.map(({ part, title }) => (
          <a key={part} href={`#${part}`}>
            {title}
          </a>
        ))}
      </nav>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Part id="score" title={text.scoreOverTime}>
            <ScoreOverTime id={id} team={team} span={span} />
          </Part>
          {has.categories && (
            <Part id="categories" title={text.categories}>
              <Categories team={team} challenges={challenges} />
            </Part>
          )}
          {has.live && (
            <Part id="live" title={text.scoredLive}>
              <LiveScores scores={dynamicScores} challenges={challenges} />
            </Part>
          )}
          {isAdjusted(team) && (
            <Suspense>
              <AdjustmentsPart id={id} score={team.score} />
            </Suspense>
          )}
        </div>
        <div className={styles.column}>
          {has.timeline && (
            <Part id="timeline" title={text.timeline}>
              <Timeline solves={solves} whole={span} />
            </Part>
          )}
          {namesSolvers ? (
            <Suspense>
              <OwnSolves solves={solves} start={span.from} />
            </Suspense>
          ) : (
            <Part id="solves" title={text.solves}>
              <SolveTable solves={solves} start={span.from} />
            </Part>
          )}
        </div>
      </div>
    </>
  )
}

interface PartProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

function Part({ id, title, children }: PartProps) {
  return (
    <div id={id} className={styles.part}>
      <Section title={title}>{children}</Section>
    </div>
  )
}

interface LiveScoresProps {
  readonly scores: Team['dynamicScores']
  readonly challenges: readonly Challenge[]
}

/** Dynamic challenges, whose points can change until the end. */
function LiveScores({ scores, challenges }: LiveScoresProps) {
  const text = useMessages(profileMessages)
  const format = useFormat()
  return (
    <ul className={styles.list}>
      {scores.map(({ id, points, pointDelta }) => (
        <li key={id}>
          <Pennant sign="live" hidden />
          <Link to={paths.challenge(id)}>
            <bdi>{challenges.find((challenge) => challenge.id === id)?.name ?? id}</bdi>
          </Link>
          <b>{text.pointsCount(format.number(points))}</b>
          {pointDelta !== 0 && <span className={styles.muted}>{format.signed(pointDelta)}</span>}
        </li>
      ))}
    </ul>
  )
}

interface CategoriesProps {
  readonly team: Team
  readonly challenges: readonly Challenge[]
}

/** Solved share of each category, based on the current challenge list. */
function Categories({ team, challenges }: CategoriesProps) {
  const text = useMessages(profileMessages)
  const format = useFormat()
  const solved = new Set(team.solves.map(({ id }) => id))
  const names = [...new Set(challenges.map(({ category }) => category))].sort(compareCategories)
  return (
    <ul className={styles.categories}>
      {names.map((name) => {
        const all = challenges.filter(({ category }) => category === name)
        const own = all.filter(({ id }) => solved.has(id))
        const points = categoryPoints(team, all)
        return (
          <li key={name}>
            <CategoryMark name={name} />
            <Bunting solved={own.length} total={all.length} />
            <span className={styles.points}>
              {points.all === null
                ? text.pointsCount(format.number(points.own))
                : text.pointsOf(format.number(points.own), format.number(points.all))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const ScoreGraph = lazy(async () => ({ default: (await import('../../ui/plots/plots.tsx')).ScoreGraph }))

const WIDE_PX = 220
const NARROW_PX = 180

interface ScoreOverTimeProps {
  readonly id: string
  readonly team: Team
  readonly span: Span
}

/** Score graph of the team. Falls back to summing the solves if the graph has no line for the team. */
function ScoreOverTime({ id, team, span }: ScoreOverTimeProps) {
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
