import { useEffect, useRef, useState, memo } from 'react'
import type { Challenge } from '../../../challenge/challenge.ts'
import type { Own } from './rules.ts'
import styles from './list.module.css'
import { useNear } from './use-near.ts'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import { Pennant } from '../../../ui/marks/pennant.tsx'
import { Delta } from './delta.tsx'

/** Longer lists are virtualized: only parts near the viewport are rendered. */
const PLAIN_UP_TO = 400
const PART = 40
/** Estimated row height of a part that has not been rendered yet. */
const ROW_PX = 40

export interface RowContext {
  readonly own: Own
  readonly fresh: ReadonlySet<string>
  readonly current: string | undefined
  /** The query string with the filters, kept in links to a challenge. */
  readonly suffix: string
  /** Number of rows in the whole list. */
  readonly count: number
  /** Whether the rows are below the heading of their category. */
  readonly isGrouped: boolean
}

interface RowsProps {
  readonly challenges: readonly Challenge[]
  /** Number of rows that are fully rendered from the start. */
  readonly first: number
  readonly context: RowContext
}

export function ListRows({ challenges, first, context }: RowsProps) {
  if (context.count < PLAIN_UP_TO)
    return (
      <ul className="pn-list">
        <Items {...{ challenges, first, context }} />
      </ul>
    )
  const parts = Math.ceil(challenges.length / PART)
  return Array.from({ length: parts }, (_, at) => (
    <Part
      key={at}
      first={at === 0 ? first : 0}
      challenges={challenges.slice(at * PART, (at + 1) * PART)}
      context={context}
    />
  ))
}

/** A block of rows that is only rendered near the viewport; its height is reserved. */
function Part({ challenges, first, context }: RowsProps) {
  const place = useRef<HTMLUListElement>(null)
  const height = useRef(0)
  const isNear = useNear(place, first > 0)
  const [kept, setKept] = useState(0)
  useEffect(() => {
    const element = place.current
    if (!element || !isNear) return
    height.current = element.offsetHeight
    // Remember the height for when the rows are unmounted.
    return () => setKept(height.current)
  }, [isNear])
  const ids = challenges.map(({ id }) => id).join(' ')
  const room = isNear ? undefined : { blockSize: kept === 0 ? challenges.length * ROW_PX : kept }
  return (
    <ul ref={place} className="pn-list" data-rows={ids} style={room}>
      {isNear && <Items {...{ challenges, first, context }} />}
    </ul>
  )
}

function Items({ challenges, first, context: { own, fresh, current, suffix, isGrouped } }: RowsProps) {
  return challenges.map((challenge, at) => (
    <li key={challenge.id} className={styles.item}>
      <ChallengeRow
        challenge={challenge}
        isFirst={at < first}
        isGrouped={isGrouped}
        isSolved={own.solved.has(challenge.id)}
        isNew={fresh.has(challenge.id)}
        isCurrent={challenge.id === current}
        live={own.live.get(challenge.id)?.points}
        delta={own.live.get(challenge.id)?.pointDelta ?? 0}
        suffix={suffix}
      />
    </li>
  ))
}

interface ChallengeRowProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  readonly isNew: boolean
  readonly isCurrent: boolean
  /** Below the heading of its category, which the row then does not repeat. */
  readonly isGrouped: boolean
  /** The team's dynamic points; `delta` is their last change. */
  readonly live: number | undefined
  readonly delta: number
  /** Among the rows visible when the page opens. */
  readonly isFirst: boolean
  /** The query string with the filters, kept in links to a challenge. */
  readonly suffix: string
}

/** Lets the challenge page go back with the browser history. */
const FROM_LIST = { fromList: true }

/**
 * A challenge in the list. Rows out of view render only the name, with the full text as their accessible
 * label, because a phone cannot render a hundred complete rows at once.
 */
const ChallengeRow = memo(function ChallengeRow(props: ChallengeRowProps) {
  const { challenge, isSolved, isNew, isCurrent, isGrouped, live, delta, isFirst, suffix } = props
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { id, name, category, points, solves, scoringKind } = challenge
  const isLive = scoringKind === 'dynamic'
  const sign = isSolved ? 'solved' : isLive ? 'live' : 'bare'
  const place = useRef<HTMLAnchorElement>(null)
  const isNear = useNear(place, isFirst)
  // A dynamic challenge shows the team's own points, and no one solves it.
  const worth = isLive && live === undefined ? text.liveShort : format.number(live ?? points)
  const solvesText = isLive ? '' : text.solvesCount(solves, format.number(solves))
  const lockedText = challenge.locked && text.locked
  const signText = { solved: text.solved, live: text.scoredLive, bare: text.notSolved }[sign]
  const newText = isNew && text.new
  const whole = [signText, !isGrouped && category, name, lockedText, newText, solvesText, worth]
    .filter(Boolean)
    .join(' ')
  return (
    <Link
      ref={place}
      aria-label={isNear ? undefined : whole}
      to={`${paths.challenge(id)}${suffix}`}
      state={FROM_LIST}
      data-challenge={id}
      className={cx(styles.row, !isNear && styles.far, isSolved && styles.done, isCurrent && styles.current)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {isNear && <Pennant sign={sign} />}
      {isNear && !isGrouped && (
        <span className={styles.icon}>
          <CategoryMark name={category} form="icon" />
        </span>
      )}
      <span className={styles.name} title={name}>
        <bdi>{name}</bdi>
      </span>
      {isNear && lockedText && (
        <span title={lockedText}>
          <Icon name="lock" />
          <span className="pn-hidden">{lockedText}</span>
        </span>
      )}
      {isNear && isNew && <span className={styles.new}>{newText}</span>}
      {isNear && !isLive && (
        <span className={styles.solves} title={solvesText}>
          <span aria-hidden="true">{format.number(solves)}</span>
          <span className="pn-hidden">{solvesText}</span>
        </span>
      )}
      {isNear && (
        <b className={styles.worth}>
          {delta !== 0 && <Delta by={delta} />} {worth}
        </b>
      )}
    </Link>
  )
})
