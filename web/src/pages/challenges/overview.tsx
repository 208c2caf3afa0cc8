import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { NotFound } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import styles from './challenges.module.css'
import { categoriesOf, type Challenge } from './list-rules.ts'
import { words } from './words.ts'

const MOST_NEXT = 3

interface OverviewProps {
  readonly challenges: readonly Challenge[]
  readonly solved: ReadonlySet<string>
}

/** While no challenge is chosen: how far the team is, and what others got next. */
export function Overview({ challenges, solved }: OverviewProps) {
  const text = useText(words)
  const format = useFormat()
  const next = challenges
    .filter(({ id, solves }) => solves > 0 && !solved.has(id))
    .toSorted((left, right) => right.solves - left.solves)
    .slice(0, MOST_NEXT)
  return (
    <div className={styles.overview}>
      <Section title={text.overview}>
        <p>{text.pick}</p>
        <ul className={styles.progress}>
          {categoriesOf(challenges).map((category) => {
            const own = challenges.filter((challenge) => challenge.category === category)
            const done = own.filter(({ id }) => solved.has(id)).length
            return (
              <li key={category}>
                <CategoryMark name={category} />
                <Bunting solved={done} total={own.length} />
              </li>
            )
          })}
        </ul>
      </Section>
      {next.length > 0 && (
        <Section title={text.next}>
          <ul className={styles.progress}>
            {next.map(({ id, name, category, solves }) => (
              <li key={id}>
                <CategoryMark name={category} form="icon" />
                <Link to={paths.challenge(id)}>
                  <bdi>{name}</bdi>
                </Link>
                <span className={styles.author}>{text.solves(solves, format.number(solves))}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

/** The address names a challenge that is not in the list. */
export function Gone() {
  const text = useText(words)
  return (
    <NotFound title={text.gone} action={<Link to={paths.challenges()}>{text.toList}</Link>}>
      {text.goneText}
    </NotFound>
  )
}
