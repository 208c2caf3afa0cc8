import { memo, useRef } from 'react'
import { Link } from 'react-router'
import type { Challenge } from '../../challenge/challenge.ts'
import { words as challengeWords } from '../../challenge/words.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { useWords } from '../../ui/words.ts'
import { Delta } from './delta.tsx'
import styles from './list.module.css'
import { useNear } from './use-near.ts'

interface ChallengeRowProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  readonly isNew: boolean
  readonly isCurrent: boolean
  /** Points that are scored live, and how they changed. */
  readonly live: number | undefined
  readonly delta: number
  /** Among those that are in sight when the page opens. */
  readonly isFirst: boolean
  /** The filters of the address, which a challenge keeps. */
  readonly suffix: string
}

/** The way back is then the browser's own. */
const FROM_LIST = { fromList: true }

/**
 * A challenge in the list. Out of sight it is its name alone, which readers hear in full: a hundred rows with all their
 * signs are more than a telephone draws at once.
 */
export const ChallengeRow = memo(function ChallengeRow(props: ChallengeRowProps) {
  const { challenge, isSolved, isNew, isCurrent, live, delta, isFirst, suffix } = props
  const text = useText(challengeWords)
  const words = useWords()
  const format = useFormat()
  const { id, name, author, category, points, solves, scoringKind } = challenge
  const isLive = scoringKind === 'dynamic'
  const sign = isSolved ? 'solved' : isLive ? 'live' : 'bare'
  const place = useRef<HTMLAnchorElement>(null)
  const isNear = useNear(place, isFirst)
  // What is scored live is worth to each team what it has there, and nobody solves it.
  const worth = isLive && live === undefined ? text.liveShort : format.number(live ?? points)
  const solvesText = !isLive && text.solves(solves, format.number(solves))
  const signText = { solved: words.solved, live: words.live, bare: words.notSolved }[sign]
  const newText = isNew && text.new
  const whole = [signText, category, name, author, newText, worth, solvesText].filter(Boolean).join(' ')
  return (
    <Link
      ref={place}
      aria-label={isNear ? undefined : whole}
      to={`${paths.challenge(id)}${suffix}`}
      state={FROM_LIST}
      data-challenge={id}
      className={cx(styles.row, !isNear && styles.far, isCurrent && styles.current)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {isNear && <Pennant sign={sign} />}
      {isNear && (
        <span className={styles.icon}>
          <CategoryMark name={category} form="icon" />
        </span>
      )}
      <span className={styles.name} title={name}>
        <bdi>{name}</bdi>{' '}
        {author !== '' && (
          <span className={styles.author}>
            <bdi>{author}</bdi>
          </span>
        )}
      </span>
      {isNear && isNew && <span className={styles.new}>{newText}</span>}
      {isNear && (
        <span className={styles.worth}>
          <b>
            {delta !== 0 && <Delta by={delta} />} {worth}
          </b>
          {solvesText && <span className={styles.solves}>{solvesText}</span>}
        </span>
      )}
    </Link>
  )
})
