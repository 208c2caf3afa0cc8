import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import styles from './scores.module.css'
import type { useAddress } from './use-address.ts'
import { useMedia } from '../../ui/use-media.ts'
import { TYPING_RESTS_MS } from '../../ui/use-rested.ts'
import { words } from './words.ts'

/** Site specification 2.9: a search is sent when typing rests, and at most so often. */
const SEARCH_EVERY_MS = 1000

interface BoardToolsProps {
  readonly address: ReturnType<typeof useAddress>
  readonly onJump: (() => void) | undefined
  readonly onImage: () => void
  readonly onPrint: () => void
  readonly note: string
}

/** Search, division, views, and the way to the own row. */
export function BoardTools({ address, onJump, onImage, onPrint, note }: BoardToolsProps) {
  const text = useText(words)
  const input = useRef<HTMLInputElement>(null)
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  const { filter, isMatrix, isGraph, order, change, showGraph } = address
  const view = (wanted: 'list' | 'matrix') => change({ view: wanted === 'matrix' ? wanted : '' })
  useShortcuts({
    '/': () => input.current?.focus(),
    g: () => showGraph(!isGraph),
    m: () => onJump?.(),
    v: () => view(isMatrix ? 'list' : 'matrix'),
  })
  return (
    <div className={styles.tools}>
      <Search inputRef={input} value={address.query} onChange={(q) => change({ q, at: '' })} />
      {divisions.length > 1 && (
        <Select
          label={text.division}
          placeholder={text.allDivisions}
          value={filter.division ?? ''}
          onChange={(division) => change({ division, at: '' })}
          choices={divisions.map(([value, label]) => ({ value, label }))}
        />
      )}
      {isMatrix && (
        <Select
          label={text.order}
          value={order}
          onChange={(wanted) => change({ order: wanted === 'solves' ? wanted : '' })}
          choices={(['category', 'solves'] as const).map((value) => ({ value, label: text.orders[value] }))}
        />
      )}
      <p className={styles.note}>{note}</p>
      <div className={styles.actions}>
        <ViewButtons isMatrix={isMatrix} onView={view} />
        <Button aria-pressed={isGraph} tone={isGraph ? 'plain' : 'quiet'} onClick={() => showGraph(!isGraph)}>
          {text.graph}
        </Button>
        {onJump && <Button onClick={onJump}>{text.jump}</Button>}
        <Button tone="quiet" onClick={onImage}>
          {text.image}
        </Button>
        <Button tone="quiet" onClick={onPrint}>
          {text.print}
        </Button>
      </div>
    </div>
  )
}

interface ViewButtonsProps {
  readonly isMatrix: boolean
  readonly onView: (view: 'list' | 'matrix') => void
}

/** On a phone there is no room for a matrix: it is in each row's sheet. */
function ViewButtons({ isMatrix, onView }: ViewButtonsProps) {
  const text = useText(words)
  if (!useMedia('(min-width: 768px)')) return null
  return (
    <div role="group" aria-label={text.view} className={styles.views}>
      {(['list', 'matrix'] as const).map((view) => {
        const isShown = (view === 'matrix') === isMatrix
        return (
          <Button
            key={view}
            tone={isShown ? 'plain' : 'quiet'}
            aria-pressed={isShown}
            onClick={() => onView(view)}
          >
            {text.views[view]}
          </Button>
        )
      })}
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
  const lastAt = useRef(0)
  useEffect(() => {
    latest.current = onChange
  })
  const sent = useRef(value)
  useEffect(() => {
    // Cleared, or another address: not what was typed here.
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const restMs = Math.max(TYPING_RESTS_MS, lastAt.current + SEARCH_EVERY_MS - Date.now())
    const timer = setTimeout(() => {
      lastAt.current = Date.now()
      sent.current = typed.trim()
      latest.current(sent.current)
    }, restMs)
    return () => clearTimeout(timer)
  }, [typed])
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
