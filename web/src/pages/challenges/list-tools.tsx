import type { RefObject } from 'react'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import styles from './challenges.module.css'
import { categoriesOf, shows, sorts, type Challenge, type View } from './list-rules.ts'
import { words } from './words.ts'

interface ListToolsProps {
  readonly challenges: readonly Challenge[]
  readonly solved: ReadonlySet<string>
  readonly view: View
  /** By the names of the address; an empty value takes one out. */
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** Search, filters and order of the list, and what the team has of it. */
export function ListTools({ challenges, solved, view, onChange, inputRef }: ListToolsProps) {
  const text = useText(words)
  const format = useFormat()
  const own = challenges.filter(({ id }) => solved.has(id))
  const total = [
    text.totalPoints(format.number(pointsOf(own)), format.number(pointsOf(challenges))),
    text.totalSolved(format.number(own.length), format.number(challenges.length)),
  ].join(' · ')
  return (
    <div className={styles.tools}>
      <TextInput
        type="search"
        label={text.search}
        placeholder={text.searchHint}
        ref={inputRef}
        value={view.query}
        onChange={(q) => onChange({ q })}
      />
      <div className={styles.shows} role="group" aria-label={text.show}>
        {shows.map((show) => (
          <Button
            key={show}
            tone={view.show === show ? 'plain' : 'quiet'}
            aria-pressed={view.show === show}
            onClick={() => onChange({ show: show === 'all' ? '' : show })}
          >
            {text.showNames[show]}
          </Button>
        ))}
      </div>
      <div className={styles.selects}>
        <Select
          label={text.category}
          placeholder={text.allCategories}
          value={view.category}
          onChange={(cat) => onChange({ cat })}
          choices={categoriesOf(challenges).map((name) => ({ value: name, label: name }))}
        />
        <Select
          label={text.sort}
          value={view.sort}
          onChange={(sort) => onChange({ sort: sort === 'category' ? '' : sort })}
          choices={sorts.map((sort) => ({ value: sort, label: text.sortNames[sort] }))}
        />
      </div>
      <p className={styles.total}>{total}</p>
    </div>
  )
}

function pointsOf(challenges: readonly Challenge[]): number {
  return challenges.reduce((sum, { points }) => sum + points, 0)
}
