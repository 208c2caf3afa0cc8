import { memo, useRef } from 'react'
import { Link } from 'react-router'
import type { Challenge } from '../../../challenge/challenge.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import { Pennant } from '../../../ui/marks/pennant.tsx'
import { Delta } from './delta.tsx'
import styles from './list.module.css'
import { useNear } from './use-near.ts'

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
export const ChallengeRow = memo(function ChallengeRow(props: ChallengeRowProps) {
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
