import { useEffect, useRef, useState } from 'react'
import type { Challenge } from '../../../challenge/challenge.ts'
import { ChallengeRow } from './challenge-row.tsx'
import type { Own } from './rules.ts'
import styles from './list.module.css'
import { useNear } from './use-near.ts'

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
