import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import type { Challenge, Team } from './team.ts'
import styles from './profile.module.css'
import { words } from './words.ts'

interface CategoriesProps {
  readonly team: Team
  readonly challenges: readonly Challenge[]
}

/** How much of each category is solved, by today's list of challenges. */
export function Categories({ team, challenges }: CategoriesProps) {
  const text = useText(words)
  const format = useFormat()
  const solved = new Set(team.solves.map(({ id }) => id))
  const names = [...new Set(challenges.map(({ category }) => category))].sort(compareCategories)
  return (
    <ul className={styles.categories}>
      {names.map((name) => {
        const all = challenges.filter(({ category }) => category === name)
        const own = all.filter(({ id }) => solved.has(id))
        return (
          <li key={name}>
            <CategoryMark name={name} />
            <Bunting solved={own.length} total={all.length} />
            <span className={styles.points}>
              {text.pointsOf(format.number(pointsOf(own)), format.number(pointsOf(all)))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function pointsOf(challenges: readonly Challenge[]): number {
  return challenges.reduce((sum, { points }) => sum + points, 0)
}
