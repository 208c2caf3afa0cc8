import { useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { byLocale } from '../../../text/page-locale.ts'
import { IconButton } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import styles from './tree.module.css'
import type { AdminChallenge } from '../draft.ts'
import { stateOf, type Category, type ChallengeState } from '../state-of.ts'
import type { Move } from './use-moves.ts'

const STATE_ICONS: Readonly<Record<ChallengeState, IconName>> = {
  visible: 'eye',
  hidden: 'eyeOff',
  scheduled: 'clock',
  draft: 'pencil',
}

/** For the narrow column; the whole time is in the title. */
const shortTime = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: 'numeric' }),
)

interface TreeCategoryProps {
  readonly category: Category
  readonly current: string | undefined
  readonly now: number
  /** Null: bulk selection is disabled. */
  readonly selected: ReadonlySet<string> | null
  readonly onSelect: (selected: ReadonlySet<string>) => void
  /** Null: the order cannot be changed. */
  readonly onMove: ((move: Move) => void) | null
  readonly onChosen: (() => void) | undefined
}

/** The challenges of one category in order. Reorder by dragging, buttons, or Alt and the arrow keys. */
export function TreeCategory(props: TreeCategoryProps) {
  const { category, onMove } = props
  const text = useMessages(adminChallengesMessages)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const { challenges, name } = category
  const dropAt = (place: number) => {
    const at = challenges.findIndex(({ id }) => id === dragged)
    const challenge = challenges[at]
    if (challenge) onMove?.({ challenge, by: place - at })
    end()
  }
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  const from = challenges.findIndex(({ id }) => id === dragged)
  // The line is on the side of the row on which the challenge lands.
  const edgeOf = (at: number) => (at === over && at !== from ? (at < from ? 'start' : 'end') : undefined)
  return (
    <section className={styles.category}>
      <h2 className={styles.categoryHead}>{name === '' ? text.noCategory : <CategoryMark name={name} />}</h2>
      <ul className={styles.rows} title={onMove ? text.orderHelp : undefined}>
        {challenges.map((challenge, at) => (
          <li
            key={challenge.id}
            draggable={onMove !== null}
            data-dragged={dragged === challenge.id || undefined}
            onDragStart={() => setDragged(challenge.id)}
            data-lands={edgeOf(at)}
            onDragEnd={end}
            onDragOver={(event) => {
              if (dragged === null) return
              event.preventDefault()
              setOver(at)
            }}
            onDrop={() => dropAt(at)}
          >
            <Row {...props} challenge={challenge} at={at} onStep={(by) => onMove?.({ challenge, by })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps extends TreeCategoryProps {
  readonly challenge: AdminChallenge
  readonly at: number
  readonly onStep: (by: number) => void
}

function Row({ challenge, at, onStep, ...props }: RowProps) {
  const text = useMessages(adminChallengesMessages)
  const { current, now, selected, onSelect, onMove, onChosen, category } = props
  const { id, name } = challenge
  const label = name === '' ? id : name
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined || !onMove) return
    event.preventDefault()
    onStep(step)
  }
  return (
    <div className={cx(styles.row, id === current && styles.current)} onKeyDown={handleKey}>
      {selected && (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={text.selectNamed(label)}
          checked={selected.has(id)}
          onChange={toggle}
        />
      )}
      <Link
        to={paths.adminChallenge(id)}
        aria-current={id === current ? 'page' : undefined}
        className={styles.rowLink}
        draggable={false}
        onClick={onChosen}
      >
        <bdi>{label}</bdi>
        <State challenge={challenge} now={now} />
      </Link>
      {onMove && (
        <span className={styles.steps}>
          <IconButton
            icon="chevronUp"
            label={text.moveUp(label)}
            disabledBecause={at === 0 ? text.isFirst : undefined}
            onClick={() => onStep(-1)}
          />
          <IconButton
            icon="chevronDown"
            label={text.moveDown(label)}
            disabledBecause={at === category.challenges.length - 1 ? text.isLast : undefined}
            onClick={() => onStep(1)}
          />
        </span>
      )}
    </div>
  )
}

function State({ challenge, now }: { readonly challenge: AdminChallenge; readonly now: number }) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const state = stateOf(challenge, now)
  const releaseTime = challenge.releaseTime ?? 0
  const said = state === 'scheduled' ? text.releases(format.dateTime(releaseTime)) : text[state]
  return (
    <span className={styles.state} data-state={state} title={state === 'scheduled' ? said : undefined}>
      <Icon name={STATE_ICONS[state]} size={14} />
      <span className={state === 'visible' || state === 'scheduled' ? 'pn-hidden' : undefined}>{said}</span>
      {state === 'scheduled' && <span aria-hidden="true">{shortTime().format(releaseTime)}</span>}
    </span>
  )
}
