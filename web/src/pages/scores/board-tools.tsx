import { useEffect, useRef, useState } from 'react'
import type { BoardFilter } from '../../api/queries.ts'
import { useConfig } from '../../api/use-contest.ts'
import { usePreferences } from '../../state/preferences.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import styles from './scores.module.css'
import { words } from './words.ts'

/** Site specification 2.9: a search is sent when typing rests. */
const TYPING_RESTS_MS = 350

interface BoardToolsProps {
  readonly filter: BoardFilter
  readonly isGraph: boolean
  /** By the names of the address; an empty value takes one out. */
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
  readonly onJump: (() => void) | undefined
  readonly note: string
}

/** Search, division, graph and the way to the own row. */
export function BoardTools({ filter, isGraph, onChange, onJump, note }: BoardToolsProps) {
  const text = useText(words)
  const input = useRef<HTMLInputElement>(null)
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  const toggle = () => onChange({ graph: isGraph ? '' : '1' })
  useShortcuts(
    { '/': () => input.current?.focus(), g: toggle, m: () => onJump?.() },
    usePreferences().shortcuts !== false,
  )
  return (
    <div className={styles.tools}>
      <Search inputRef={input} value={filter.search ?? ''} onChange={(q) => onChange({ q })} />
      {divisions.length > 1 && (
        <Select
          label={text.division}
          placeholder={text.allDivisions}
          value={filter.division ?? ''}
          onChange={(division) => onChange({ division })}
          choices={divisions.map(([value, label]) => ({ value, label }))}
        />
      )}
      <Button aria-pressed={isGraph} onClick={toggle}>
        {text.graph}
      </Button>
      {onJump && <Button onClick={onJump}>{text.jump}</Button>}
      <p className={styles.note}>{note}</p>
    </div>
  )
}

interface SearchProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly inputRef: React.RefObject<HTMLInputElement | null>
}

function Search({ value, onChange, inputRef }: SearchProps) {
  const text = useText(words)
  const [typed, setTyped] = useState(value)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => latest.current(typed.trim()), TYPING_RESTS_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <TextInput
      type="search"
      label={text.search}
      placeholder={text.searchHint}
      maxLength={100}
      ref={inputRef}
      value={typed}
      onChange={setTyped}
    />
  )
}
