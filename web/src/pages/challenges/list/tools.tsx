import { type RefObject, useRef } from 'react'
import { setPreference, usePreferences } from '../../../state/preferences.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/inputs.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { categoriesOf, countSolved, pointsOf, shows, sorts, type Own, type View } from './rules.ts'
import styles from './list.module.css'
import { Switch } from '../../../ui/fields/choices.tsx'

interface ListToolsProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
  readonly view: View
  readonly onChange: (changes: Partial<View>) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** Search, filters and order of the list, and the team's progress. */
export function ListTools({ challenges, own, view, onChange, inputRef }: ListToolsProps) {
  const text = useMessages(challengesMessages)
  return (
    <div className={styles.tools}>
      <SearchInput
        label={text.search}
        placeholder={text.searchHelp}
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
  const text = useMessages(challengesMessages)
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
        text.pointsCount(format.number(points.all)),
      ]
  return <p className={styles.total}>{parts.join(' · ')}</p>
}

/** Toggles compact rows, with a mouse and a wide screen. */
function Density() {
  const text = useMessages(challengesMessages)
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

interface CategoryPickerProps {
  readonly categories: readonly string[]
  /** Empty means all. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Selects several categories. Native elements keep the bundle small: everyone opens this page at once. */
function CategoryPicker({ categories, chosen, onChange }: CategoryPickerProps) {
  const text = useMessages(challengesMessages)
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => {
    details.current?.removeAttribute('open')
    details.current?.querySelector('summary')?.focus()
  }
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name])
  return (
    <div className={styles.picker}>
      <details
        ref={details}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !details.current?.open) return
          event.stopPropagation()
          close()
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false
        }}
      >
        <summary aria-label={`${text.category}: ${chosen.join(', ') || text.allCategories}`}>
          <span>{chosen.length === 0 ? text.allCategories : chosen.join(', ')}</span>
        </summary>
        <div role="group" aria-label={text.category} className={styles.pickerChoices}>
          {categories.map((name) => (
            <Switch
              key={name}
              kind="checkbox"
              label={name}
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </div>
      </details>
    </div>
  )
}
