import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, type CSSProperties } from 'react'
import { useParams } from 'react-router'
import { challengesQuery } from '../../api/queries.ts'
import { useGate, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { cx } from '../../ui/cx.ts'
import { NotOpenYet } from '../../layout/not-open-yet.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useTrouble } from '../../api/use-failure.ts'
import { RequestFailure } from '../../api/failure.ts'
import { ChallengeList } from './challenge-list.tsx'
import styles from './challenges.module.css'
import { ListDivider } from './list-divider.tsx'
import { listMemory } from './list-memory.ts'
import { useStore } from '../../state/store.ts'
import { Detail } from './detail.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { Gone, Overview } from './overview.tsx'
import { words } from '../../challenge/words.ts'

/** Site specification 2.5: while the list is in sight, and after the end, when little changes. */
const LIST_EVERY_MS = 15_000
const ENDED_EVERY_MS = 120_000

export function Component() {
  const text = useText(words)
  const { isOpen, isEarly, isOpening } = useGate('challsRead')
  const phase = usePhase()
  const { id } = useParams()
  const { width } = useStore(listMemory)
  const everyMs = phase === 'running' || isEarly ? LIST_EVERY_MS : ENDED_EVERY_MS
  const query = useQuery({ ...challengesQuery({ bypass: isEarly, everyMs }), enabled: isOpen })
  const { failure, retry } = useTrouble(query)
  const chosen = query.data?.find((challenge) => challenge.id === id)
  usePageTitle(chosen?.name ?? text.title)
  if (phase === 'before' && !isOpen) return <NotOpenYet />
  if (isOpening && !query.data && !query.error) return <NotOpenYet />
  return (
    <div
      className={styles.page}
      data-fills
      data-chosen={id !== undefined || undefined}
      style={width === undefined ? undefined : ({ '--list': `${width}px` } as CSSProperties)}
    >
      {!chosen && <h1 className="pn-hidden">{text.title}</h1>}
      {query.data ? (
        <Board challenges={query.data} id={id} chosen={chosen} />
      ) : (
        <Waiting error={failure} onRetry={retry} />
      )}
    </div>
  )
}

interface BoardProps {
  readonly challenges: readonly Challenge[]
  readonly id: string | undefined
  readonly chosen: Challenge | undefined
}

function Board({ challenges, id, chosen }: BoardProps) {
  const text = useText(words)
  const { isSignedIn, team } = useOwnTeam()
  const own = useMemo(
    () => ({
      isTeam: isSignedIn,
      solved: new Set(team?.solves.map((solve) => solve.id)),
      live: new Map(team?.dynamicScores.map((score) => [score.id, score])),
    }),
    [isSignedIn, team],
  )
  const { solved } = own
  const list = useRef<HTMLDivElement>(null)
  if (challenges.length === 0 && id === undefined) {
    return (
      <div className={styles.whole}>
        <EmptyState>{text.none}</EmptyState>
      </div>
    )
  }
  return (
    <>
      <div ref={list} className={styles.list}>
        <ChallengeList challenges={challenges} own={own} current={id} scroller={list} />
      </div>
      <ListDivider />
      <div data-part tabIndex={-1} className={styles.pane}>
        {chosen && <Detail key={chosen.id} challenge={chosen} isSolved={solved.has(chosen.id)} />}
        {!chosen && (id === undefined ? <Overview challenges={challenges} own={own} /> : <Gone />)}
      </div>
    </>
  )
}

interface WaitingProps {
  readonly error: Error | null
  readonly onRetry: () => void
}

function Waiting({ error, onRetry }: WaitingProps) {
  const errorText = useErrorText()
  const format = useFormat()
  if (error instanceof RequestFailure) {
    return (
      <div className={styles.whole}>
        <ErrorState onRetry={onRetry} kind={error.kind} requestedAt={format.time(error.askedAt)}>
          {errorText(error)}
        </ErrorState>
      </div>
    )
  }
  return (
    <>
      <div className={cx(styles.list, styles.waiting)}>
        <Skeleton rows={3} height="2.25rem" />
        <Skeleton rows={12} height="var(--pn-row)" />
      </div>
      <div className={cx(styles.pane, styles.wide)}>
        <Skeleton rows={6} height="2rem" />
      </div>
    </>
  )
}
