import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, type CSSProperties, type ReactNode } from 'react'
import { useParams } from 'react-router'
import { challengesQuery } from '../../api/queries.ts'
import { useFollowSolves } from '../../api/use-latest-solves.ts'
import { useGate, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { pageIsQuiet } from '../../api/use-stream.ts'
import { challengesMessages } from '../../text/en/challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import { NotOpenYet } from '../../layout/states/not-open-yet.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useFailure, type Failure } from '../../api/use-failure.ts'
import { RequestFailure } from '../../api/failure.ts'
import { NoChallenges, ChallengeList } from './list/challenge-list.tsx'
import styles from './challenges.module.css'
import { ListDivider } from './list/divider.tsx'
import { listMemory } from './list/memory.ts'
import { useStore } from '../../state/store.ts'
import { Detail } from './detail/detail.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { bloodsOf, nextAfter } from './list/rules.ts'
import { Gone, Overview } from './overview.tsx'
import { useTop } from './use-top.ts'

/**
 * While the list is visible, and after the end, when little changes: docs/reference/site.md#refresh-intervals
 */
const LIST_EVERY_MS = 15_000
const ENDED_EVERY_MS = 120_000

export function Component() {
  const text = useMessages(challengesMessages)
  const { isOpen, isEarly, isOpening } = useGate('challsRead')
  const phase = usePhase()
  useFollowSolves()
  const { id } = useParams()
  const everyMs = phase === 'running' || isEarly ? LIST_EVERY_MS : ENDED_EVERY_MS
  const query = useQuery({ ...challengesQuery({ bypass: isEarly, everyMs }), enabled: isOpen })
  const failure = useFailure(query)
  const chosen = query.data?.find((challenge) => challenge.id === id)
  usePageTitle(chosen?.name ?? text.title)
  if (phase === 'before' && !isOpen) return <NotOpenYet />
  if (isOpening && !query.data && !query.error) return <NotOpenYet />
  return (
    <Panes isChosen={id !== undefined}>
      {!chosen && <h1 className="pn-hidden">{text.title}</h1>}
      {query.data ? <Board challenges={query.data} id={id} chosen={chosen} /> : <Waiting failure={failure} />}
    </Panes>
  )
}

/** The list and the pane beside it; on a phone, one of them. */
function Panes({ isChosen, children }: { readonly isChosen: boolean; readonly children: ReactNode }) {
  const { width } = useStore(listMemory)
  const place = useRef<HTMLDivElement>(null)
  useTop(place)
  return (
    <div
      ref={place}
      className={styles.page}
      data-fills
      data-chosen={isChosen || undefined}
      style={width === undefined ? undefined : ({ '--list': `${width}px` } as CSSProperties)}
    >
      {children}
    </div>
  )
}

interface BoardProps {
  readonly challenges: readonly Challenge[]
  readonly id: string | undefined
  readonly chosen: Challenge | undefined
}

function Board({ challenges, id, chosen }: BoardProps) {
  const { isSignedIn, team } = useOwnTeam()
  const own = useMemo(
    () => ({
      isTeam: isSignedIn,
      solved: new Set(team?.solves.map((solve) => solve.id)),
      bloods: bloodsOf(team?.solves ?? []),
      live: new Map(team?.dynamicScores.map((score) => [score.id, score])),
    }),
    [isSignedIn, team],
  )
  const { solved } = own
  const list = useRef<HTMLDivElement>(null)
  if (challenges.length === 0 && id === undefined) {
    return (
      <div className={styles.whole}>
        <NextWave />
        <NoChallenges />
      </div>
    )
  }
  return (
    <>
      <div ref={list} className={styles.list}>
        <NextWave />
        <ChallengeList challenges={challenges} own={own} current={id} scroller={list} />
      </div>
      <ListDivider />
      <div data-part tabIndex={-1} className={styles.pane}>
        {chosen && (
          <Detail
            key={chosen.id}
            challenge={chosen}
            isSolved={solved.has(chosen.id)}
            next={nextAfter(chosen, challenges, solved)}
          />
        )}
        {!chosen && (id === undefined ? <Overview challenges={challenges} own={own} /> : <Gone />)}
      </div>
    </>
  )
}

const NextWaveLine = lazy(async () => {
  await pageIsQuiet
  return { default: (await import('../../layout/next-wave/next-wave.tsx')).NextWaveLine }
})

function NextWave() {
  return (
    <Suspense>
      <NextWaveLine />
    </Suspense>
  )
}

function Waiting({ failure }: { readonly failure: Failure }) {
  if (failure.error instanceof RequestFailure) {
    return (
      <div className={styles.whole}>
        <LoadState failure={failure}>{null}</LoadState>
      </div>
    )
  }
  return (
    <>
      <div className={cx(styles.list, styles.waiting)}>
        <Skeleton rows={3} height="2.25rem" />
        <Skeleton rows={12} height="var(--pn-row)" />
      </div>
      <div className={cx(styles.pane)}>
        <Skeleton rows={6} height="2rem" />
      </div>
    </>
  )
}
