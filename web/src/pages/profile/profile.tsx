import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { challengesQuery } from '../../api/queries.ts'
import { useGate } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { Section } from '../../ui/states/panel.tsx'
import { Categories } from './categories.tsx'
import { Head } from './head.tsx'
import { LiveScores } from './live-scores.tsx'
import styles from './profile.module.css'
import { ScoreOverTime } from './score-over-time.tsx'
import { SolveTable } from './solve-table.tsx'
import type { Challenge, OwnFacts, Team } from './team.ts'
import { Timeline } from './timeline.tsx'
import { Body } from './waiting.tsx'
import { words } from './words.ts'

interface ProfileProps {
  readonly id: string
  readonly team: Team
  readonly times: { readonly startTime: number; readonly endTime: number }
  readonly own?: OwnFacts
}

/** Graph and timeline are drawn anew only so often. */
const STEP_MS = 60_000

/** What a team has done. */
export function Profile({ id, team, times: { startTime, endTime }, own }: ProfileProps) {
  const now = useTimed((at) => Math.min(Math.ceil(at / STEP_MS) * STEP_MS, endTime))
  const last = Math.max(now, startTime + STEP_MS, ...team.solves.map(({ createdAt }) => createdAt))
  const span = useMemo(() => ({ from: startTime, to: last }), [startTime, last])
  const { isOpen, isEarly } = useGate('challsRead')
  const query = useQuery({ ...challengesQuery({ bypass: isEarly }), enabled: isOpen })
  const isWaiting = isOpen && query.isPending && query.failureCount === 0
  return (
    <div className={styles.page}>
      <Head team={team} own={own} />
      {isWaiting ? <Body /> : <Parts {...{ id, team, span }} challenges={query.data ?? []} />}
    </div>
  )
}

interface PartsProps {
  readonly id: string
  readonly team: Team
  readonly span: { readonly from: number; readonly to: number }
  readonly challenges: readonly Challenge[]
}

function Parts({ id, team, span, challenges }: PartsProps) {
  const text = useText(words)
  const { solves, dynamicScores } = team
  const has = {
    categories: challenges.length > 0,
    timeline: solves.length > 0,
    live: dynamicScores.length > 0,
  }
  const nav = [
    { part: 'score', title: text.scoreOverTime },
    ...(has.categories ? [{ part: 'categories', title: text.categories }] : []),
    ...(has.live ? [{ part: 'live', title: text.live }] : []),
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
            <Part id="live" title={text.live}>
              <LiveScores scores={dynamicScores} challenges={challenges} />
            </Part>
          )}
        </div>
        <div className={styles.column}>
          {has.timeline && (
            <Part id="timeline" title={text.timeline}>
              <Timeline solves={solves} whole={span} />
            </Part>
          )}
          <Part id="solves" title={text.solves}>
            <SolveTable solves={solves} start={span.from} />
          </Part>
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
