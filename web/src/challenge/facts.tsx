import type { ReactNode } from 'react'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { CategoryMark } from '../ui/marks/category-mark.tsx'
import { Pennant } from '../ui/marks/pennant.tsx'
import { useWords } from '../ui/words.ts'
import type { Challenge } from './challenge.ts'
import styles from './challenge.module.css'
import { words } from './words.ts'

interface FactsProps {
  readonly challenge: Pick<Challenge, 'name' | 'author' | 'category' | 'points' | 'scoringKind'>
  /** Of the heading. */
  readonly level?: 1 | 2
  /** After the points: links and buttons. */
  readonly children?: ReactNode
}

/** The name of a challenge, and what is known of it at a glance. */
export function Facts({ challenge, level = 2, children }: FactsProps) {
  const text = useText(words)
  const { live } = useWords()
  const format = useFormat()
  const { name, author, category, points, scoringKind } = challenge
  const Heading = `h${level}` as const
  return (
    <>
      <Heading className={styles.title}>
        <bdi>{name}</bdi>
      </Heading>
      <div className={styles.facts}>
        <CategoryMark name={category} form="chip" />
        {author !== '' && <span>{text.by(author)}</span>}
        {scoringKind === 'dynamic' ? (
          <span className={styles.live}>
            <Pennant sign="live" hidden /> {live}
          </span>
        ) : (
          <span>
            <b className={styles.points}>{format.number(points)}</b> {text.pointsShort}
          </span>
        )}
        {children}
      </div>
    </>
  )
}
