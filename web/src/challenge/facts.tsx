import type { ReactNode } from 'react'
import { challengesMessages } from '../text/en/challenges.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { CategoryMark } from '../ui/marks/category-mark.tsx'
import { Pennant } from '../ui/marks/pennant.tsx'
import { useUiMessages } from '../ui/ui-messages.ts'
import type { Challenge } from './challenge.ts'
import styles from './challenge.module.css'

interface FactsProps {
  readonly challenge: Pick<Challenge, 'name' | 'author' | 'category' | 'points' | 'scoringKind'>
  /** Heading level. */
  readonly level?: 1 | 2
  /** Rendered after the author: links and buttons. */
  readonly children?: ReactNode
}

/** The name of a challenge and its main facts. */
export function Facts({ challenge, level = 2, children }: FactsProps) {
  const text = useMessages(challengesMessages)
  const { scoredLive: live } = useUiMessages()
  const format = useFormat()
  const { name, author, category, points, scoringKind } = challenge
  const Heading = `h${level}` as const
  return (
    <>
      <div className={styles.titleRow}>
        <Heading className={styles.title}>
          <bdi>{name}</bdi>
        </Heading>
        {scoringKind === 'dynamic' ? (
          <span className="pn-inline pn-gap-2">
            <Pennant sign="live" hidden /> {live}
          </span>
        ) : (
          <span className={styles.worth}>
            <b className={styles.points}>{format.number(points)}</b> {text.pointsIn(points)}
          </span>
        )}
      </div>
      <div className={styles.facts}>
        <CategoryMark name={category} />
        {author !== '' && <span>{text.by(author)}</span>}
        {children}
      </div>
    </>
  )
}
