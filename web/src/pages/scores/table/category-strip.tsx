import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import { Gonfalon } from '../../../ui/marks/gonfalon.tsx'
import { solvedByCategory, type CategoryChallenges } from './columns.ts'
import styles from '../scores.module.css'
import type { BoardRow } from '../use-board.ts'

/** Limits the width and the number of elements per row. The text for screen readers has all categories. */
const MAX_DRAWN = 8
const CLOTH = { width: 18, height: 22 }

interface CategoryStripProps {
  readonly row: BoardRow
  readonly categories: readonly CategoryChallenges[]
}

/** A team's share of each category as hanging cloths, read as one sentence. */
export function CategoryStrip({ row, categories }: CategoryStripProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  if (categories.length === 0) return null
  const solved = solvedByCategory(row, categories)
  const sentence = categories.map(({ name, ids }, at) => text.categoryOf(name, solved[at] ?? 0, ids.size))
  return (
    <span
      role="img"
      aria-label={format.list(sentence)}
      title={format.list(sentence)}
      className={styles.strip}
    >
      {categories.slice(0, MAX_DRAWN).map(({ name, ids }, at) => (
        <Gonfalon key={name} category={name} share={(solved[at] ?? 0) / ids.size} {...CLOTH} />
      ))}
    </span>
  )
}

/** The icons above the cloths. */
export function CategoryIcons({ categories }: Pick<CategoryStripProps, 'categories'>) {
  return (
    <span className={styles.strip}>
      {categories.slice(0, MAX_DRAWN).map(({ name }) => (
        <CategoryMark key={name} name={name} form="icon" />
      ))}
    </span>
  )
}
