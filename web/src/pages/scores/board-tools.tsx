import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useConfig, useIsOver } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { scoresMessages } from '../../text/en/scores.ts'
import { useMessages } from '../../text/messages.ts'
import { Button, buttonClass, IconButton } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { SEARCH_DELAY_MS, SearchInput } from '../../ui/fields/search-input.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { Sheet } from '../../ui/layers/dialog.tsx'
import styles from './board-tools.module.css'
import type { useAddress } from './use-address.ts'
import { useMedia } from '../../ui/use-media.ts'

/** Minimum interval between searches, in addition to the debounce: docs/reference/site.md#scoreboard */
const SEARCH_EVERY_MS = 1000

const TrackSelect = lazy(async () => ({
  default: (await import('../../account/tracks/track-select.tsx')).TrackSelect,
}))

interface BoardToolsProps {
  readonly address: ReturnType<typeof useAddress>
  readonly onJump: (() => void) | undefined
  /** Undefined where there are no earlier standings. */
  readonly onReplay: (() => void) | undefined
  readonly onImage: () => void
  readonly onPrint: () => void
  readonly note: string
}

/**
 * Search, division, views, and a button to jump to the own row. Phones have no room for a matrix: the sheet of a row shows the
 * same data.
 */
export function BoardTools(props: BoardToolsProps) {
  const { address, onJump, onReplay, onImage, onPrint, note } = props
  const text = useMessages(scoresMessages)
  const input = useRef<HTMLInputElement>(null)
  const { filter, isMatrix, isGraph, order, change, showGraph } = address
  const isPhone = useMedia('(max-width: 767px)')
  const view = (wanted: 'list' | 'matrix') => change({ view: wanted === 'matrix' ? wanted : '' })
  const graphButton = {
    'aria-pressed': isGraph,
    tone: isGraph ? ('plain' as const) : ('quiet' as const),
    onClick: () => showGraph(!isGraph),
  }
  useShortcuts({
    '/': () => input.current?.focus(),
    g: () => showGraph(!isGraph),
    m: () => onJump?.(),
    v: () => view(isMatrix ? 'list' : 'matrix'),
  })
  const search = <Search inputRef={input} value={address.query} onChange={(q) => change({ q, at: '' })} />
  const division = <Filters address={address} />
  if (isPhone) {
    return (
      <div className={styles.tools}>
        {search}
        <IconButton {...graphButton} icon="chart" label={text.graph} />
        <PhoneTools
          {...{ division, onReplay, onImage, onPrint }}
          isFiltered={filter.division !== undefined || (filter.track ?? 'main') !== 'main'}
        />
      </div>
    )
  }
  return (
    <div className={styles.tools}>
      {search}
      {division}
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
        <Button {...graphButton} icon="chart">
          {text.graph}
        </Button>
        {onReplay && <Button onClick={onReplay}>{text.replay}</Button>}
        <StatisticsLink />
        {onJump && <Button onClick={onJump}>{text.jump}</Button>}
        <IconButton icon="picture" label={text.image} onClick={onImage} />
        <IconButton icon="print" label={text.print} onClick={onPrint} />
      </div>
    </div>
  )
}

/** After the end, if organisers made the statistics public. */
function StatisticsLink() {
  const text = useMessages(scoresMessages)
  const config = useConfig()
  const isOver = useIsOver()
  if (!isOver || !config?.statistics || config.freezeTime !== undefined) return null
  return (
    <Link to={paths.statistics()} className={buttonClass('plain')}>
      {text.statistics}
    </Link>
  )
}

/** By division, and by track in an event with tracks. */
function Filters({ address }: Pick<BoardToolsProps, 'address'>) {
  const { filter, change } = address
  return (
    <>
      <DivisionSelect address={address} />
      {filter.track !== undefined && (
        <Suspense>
          <TrackSelect
            value={filter.track === 'main' ? '' : filter.track}
            onChange={(track) => change({ track, at: '' })}
          />
        </Suspense>
      )}
    </>
  )
}

function DivisionSelect({ address: { filter, change } }: Pick<BoardToolsProps, 'address'>) {
  const text = useMessages(scoresMessages)
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  if (divisions.length < 2) return null
  return (
    <Select
      label={text.division}
      placeholder={text.allDivisions}
      value={filter.division ?? ''}
      onChange={(division) => change({ division, at: '' })}
      choices={divisions.map(([value, label]) => ({ value, label }))}
    />
  )
}

interface PhoneToolsProps extends Pick<BoardToolsProps, 'onReplay' | 'onImage' | 'onPrint'> {
  readonly division: ReactNode
  /** Whether the board shows only some teams; marked, because the filter itself is out of view. */
  readonly isFiltered: boolean
}

/** What a phone has no room for beside the search: a sheet with the filter and the rare actions. */
function PhoneTools({ division, onReplay, onImage, onPrint, isFiltered }: PhoneToolsProps) {
  const text = useMessages(scoresMessages)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const then = (action: () => void) => () => {
    close()
    action()
  }
  return (
    <>
      <IconButton
        icon="filter"
        label={isFiltered ? text.moreFiltered : text.more}
        tone={isFiltered ? 'plain' : 'quiet'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Sheet open={isOpen} onClose={close} title={text.more}>
        <div className="pn-grid pn-gap-3">
          {division}
          {onReplay && <Button onClick={then(onReplay)}>{text.replay}</Button>}
          <StatisticsLink />
          <Button icon="picture" onClick={then(onImage)}>
            {text.image}
          </Button>
          <Button icon="print" onClick={then(onPrint)}>
            {text.print}
          </Button>
        </div>
      </Sheet>
    </>
  )
}

interface ViewButtonsProps {
  readonly isMatrix: boolean
  readonly onView: (view: 'list' | 'matrix') => void
}

function ViewButtons({ isMatrix, onView }: ViewButtonsProps) {
  const text = useMessages(scoresMessages)
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
  const text = useMessages(scoresMessages)
  const send = useSpaced(onChange)
  return (
    <SearchInput
      label={text.search}
      placeholder={text.searchHelp}
      maxLength={100}
      ref={inputRef}
      value={value}
      onChange={send}
    />
  )
}

/** Reports a typed value after a rest, and at most one a second. */
function useSpaced(onChange: (value: string) => void): (value: string) => void {
  const latest = useRef(onChange)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastAt = useRef(0)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return (value) => {
    clearTimeout(timer.current)
    const restMs = Math.max(SEARCH_DELAY_MS, lastAt.current + SEARCH_EVERY_MS - Date.now())
    timer.current = setTimeout(() => {
      lastAt.current = Date.now()
      latest.current(value.trim())
    }, restMs)
  }
}
