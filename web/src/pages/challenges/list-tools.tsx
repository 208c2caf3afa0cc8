import type { RefObject } from 'react'
import { setPreference, usePreferences } from '../../state/preferences.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'
import { CategoryPicker } from './category-picker.tsx'
import { categoriesOf, countSolved, pointsOf, shows, sorts, type Own, type View } from './list-rules.ts'
import styles from './list.module.css'

interface ListToolsProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
  readonly view: View
  readonly onChange: (changes: Partial<View>) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** Search, filters and order of the list, and what the team has of it. */
export function ListTools({ challenges, own, view, onChange, inputRef }: ListToolsProps) {
  const text = useText(words)
  return (
    <div className={styles.tools}>
      <SearchInput
        label={text.search}
        placeholder={text.searchHint}
        ref={inputRef}
        value={view.query}
        onChange={(query) => onChange({ query })}
      />
      <div className={styles.shows} {...(own.isTeam && { role: 'group', 'aria-label': text.show })}>
        {own.isTeam &&
          shows.map((show) => (
            <Button
              key={show}
              tone={view.show === show ? 'plain' : 'quiet'}
              aria-pressed={view.show === show}
              onClick={() => onChange({ show })}
            >
              {text.showNames[show]}
            </Button>
          ))}
        <Density />
      </div>
      <div className={styles.selects}>
        <CategoryPicker
          categories={categoriesOf(challenges)}
          chosen={view.categories}
          onChange={(categories) => onChange({ categories })}
        />
        <Select
          label={text.sort}
          value={view.sort}
          onChange={(value) => onChange({ sort: sorts.find((sort) => sort === value) ?? 'category' })}
          choices={sorts.map((sort) => ({ value: sort, label: text.sortNames[sort] }))}
        />
      </div>
      <Total {...{ challenges, own }} />
    </div>
  )
}

function Total({ challenges, own }: Pick<ListToolsProps, 'challenges' | 'own'>) {
  const text = useText(words)
  const format = useFormat()
  const points = pointsOf(challenges, own)
  const solved = countSolved(challenges, own.solved)
  const parts = own.isTeam
    ? [
        text.totalPoints(format.number(points.own), format.number(points.all)),
        text.totalSolved(format.number(solved.done), format.number(solved.all)),
      ]
    : [
        text.count(challenges.length, format.number(challenges.length)),
        text.points(format.number(points.all)),
      ]
  return <p className={styles.total}>{parts.join(' · ')}</p>
}

/** Closer rows, where there is a mouse and room. */
function Density() {
  const text = useText(words)
  const isCompact = usePreferences().density === 'compact'
  return (
    <Button
      tone={isCompact ? 'plain' : 'quiet'}
      aria-pressed={isCompact}
      className={styles.density}
      onClick={() => setPreference('density', isCompact ? undefined : 'compact')}
    >
      {text.compact}
    </Button>
  )
}
