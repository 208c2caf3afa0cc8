import { memo, useDeferredValue, useMemo, useRef } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { usePreferences } from '../../state/preferences.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './challenges.module.css'
import { groupsOf, viewOf, type Challenge, type Group } from './list-rules.ts'
import { ListTools } from './list-tools.tsx'
import { words } from './words.ts'

interface ChallengeListProps {
  readonly challenges: readonly Challenge[]
  readonly solved: ReadonlySet<string>
  readonly current: string | undefined
}

/** All challenges of the view that the address names, by keys `/`, `j`, `k` and `x` too. */
export function ChallengeList({ challenges, solved, current }: ChallengeListProps) {
  const text = useText(words)
  const [search, setSearch] = useSearchParams()
  const view = viewOf(search)
  // Typing goes first, the list follows.
  const address = useDeferredValue(search.toString())
  const groups = useMemo(
    () => groupsOf(challenges, solved, viewOf(new URLSearchParams(address))),
    [challenges, solved, address],
  )
  const change = (changes: Readonly<Record<string, string>>) => {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const clear = () => change({ q: '', show: '', cat: '' })
  const input = useRef<HTMLInputElement>(null)
  useListKeys({ groups, current, search, focusSearch: () => input.current?.focus() }, () =>
    change({ show: view.show === 'open' ? '' : 'open' }),
  )
  return (
    <nav aria-label={text.listOf}>
      <ListTools challenges={challenges} solved={solved} view={view} onChange={change} inputRef={input} />
      {groups.length === 0 && (
        <EmptyState action={<Button onClick={clear}>{text.clear}</Button>}>{text.noMatch}</EmptyState>
      )}
      {groups.map((group) => (
        <Rows
          key={group.category ?? ''}
          {...{ group, solved, current }}
          suffix={address === '' ? '' : `?${address}`}
        />
      ))}
    </nav>
  )
}

interface ListKeys {
  readonly groups: readonly Group[]
  readonly current: string | undefined
  readonly search: URLSearchParams
  readonly focusSearch: () => void
}

function useListKeys({ groups, current, search, focusSearch }: ListKeys, hideSolved: () => void): void {
  const navigate = useNavigate()
  const step = (by: number) => {
    const ids = groups.flatMap((group) => group.challenges.map(({ id }) => id))
    const at = current === undefined ? -1 : ids.indexOf(current)
    const next = ids.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % ids.length)
    if (next === undefined) return
    void navigate({ pathname: paths.challenge(next), search: search.toString() })
    document.querySelector(`[data-challenge="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const keys = {
    '/': focusSearch,
    j: () => step(1),
    k: () => step(-1),
    x: hideSolved,
    Escape: () =>
      current !== undefined && void navigate({ pathname: paths.challenges(), search: search.toString() }),
  }
  useShortcuts(keys, usePreferences().shortcuts !== false)
}

interface RowsProps {
  readonly group: Group
  readonly solved: ReadonlySet<string>
  readonly current: string | undefined
  /** The filters of the address, which a challenge keeps. */
  readonly suffix: string
}

const Rows = memo(function Rows({ group: { category, challenges }, solved, current, suffix }: RowsProps) {
  const done = challenges.filter(({ id }) => solved.has(id)).length
  return (
    <section className={styles.group}>
      {category !== null && (
        <h2 className={styles.groupHead}>
          <CategoryMark name={category} />
          <Bunting solved={done} total={challenges.length} />
          <span className={styles.count} aria-hidden="true">
            {done}/{challenges.length}
          </span>
        </h2>
      )}
      <ul className={styles.rows}>
        {challenges.map((challenge) => (
          <li key={challenge.id}>
            <Row
              challenge={challenge}
              isSolved={solved.has(challenge.id)}
              isCurrent={challenge.id === current}
              suffix={suffix}
            />
          </li>
        ))}
      </ul>
    </section>
  )
})

interface RowProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  readonly isCurrent: boolean
  readonly suffix: string
}

const Row = memo(function Row({ challenge, isSolved, isCurrent, suffix }: RowProps) {
  const text = useText(words)
  const format = useFormat()
  const { id, name, author, category, points, solves, scoringKind } = challenge
  const sign = isSolved ? 'solved' : scoringKind === 'dynamic' ? 'live' : 'bare'
  return (
    <Link
      to={`${paths.challenge(id)}${suffix}`}
      data-challenge={id}
      className={cx(styles.row, isCurrent && styles.current)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Pennant sign={sign} />
      <CategoryMark name={category} form="icon" />
      <span className={styles.name} title={name}>
        <bdi>{name}</bdi>
        {author !== '' && (
          <span className={styles.author}>
            <bdi>{author}</bdi>
          </span>
        )}
      </span>
      <span className={styles.worth}>
        <b>{format.number(points)}</b>
        <span className={styles.author}>{text.solves(solves, format.number(solves))}</span>
      </span>
    </Link>
  )
})
