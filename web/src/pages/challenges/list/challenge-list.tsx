import { useDeferredValue, useMemo, useRef, useEffect, type RefObject, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { useStore } from '../../../state/store.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { frameMessages } from '../../../text/en/frame.ts'
import { useMessages, useFormat } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Bunting } from '../../../ui/marks/bunting.tsx'
import { categoryOf } from '../../../ui/marks/categories.ts'
import { CategoryMark, categoryStyle } from '../../../ui/marks/category-mark.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { serverNow, useTimed } from '../../../state/clock.ts'
import { paths, inPlace } from '../../../paths.ts'
import { updateListMemory, listMemory } from './memory.ts'
import { useListKeys, focusRow } from './keys.ts'
import {
  countSolved,
  groupsOf,
  viewOf,
  withTab,
  isSilent,
  withView,
  type Group,
  type Own,
  type View,
} from './rules.ts'
import { ListRows, type RowContext } from './rows.tsx'
import { ListTools } from './tools.tsx'
import styles from './list.module.css'
import { ScrollAnchor, isScroller } from './scroll-anchor.ts'
import { isSameSeen, newOf, withSeen, type Seen } from './seen.ts'

const NOTHING: Seen = {}

interface ChallengeListProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
  readonly current: string | undefined
  readonly scroller: RefObject<HTMLElement | null>
}

const NONE: readonly string[] = []
/** Number of rows visible on most screens when the page opens. */
const FIRST = 15

/** The challenges of the view in the URL; the keys `/`, `j`, `k` and `x` work too. */
export function ChallengeList({ challenges, own, current, scroller }: ChallengeListProps) {
  const text = useMessages(challengesMessages)
  const { search, view, change } = useView()
  const { seen, fresh } = useSeen(challenges)
  const { folded = NONE } = useStore(listMemory)
  // Deferred: typing takes priority over rendering the list.
  const address = useDeferredValue(withTab(search, 'details').toString())
  const { isTeam, solved } = own
  const groups = useMemo(() => {
    const shown = viewOf(new URLSearchParams(address))
    // The URL may have been shared by a signed-in user.
    return groupsOf(challenges, { solved, seen }, isTeam ? shown : { ...shown, show: 'all' })
  }, [challenges, isTeam, solved, seen, address])
  // A search also shows matches in collapsed categories.
  const isFolded = ({ category }: Group) =>
    category !== null && view.query === '' && folded.includes(category)
  const input = useRef<HTMLInputElement>(null)
  const onKeyDown = useListKeys({
    ids: groups.flatMap((group) => (isFolded(group) ? [] : group.challenges.map(({ id }) => id))),
    current,
    search,
    focusSearch: () => input.current?.focus(),
    hideSolved: () => {
      if (isTeam) change({ show: view.show === 'open' ? 'all' : 'open' })
    },
  })
  const clear = () => change({ query: '', show: 'all', categories: [] })
  const count = groups.reduce((sum, group) => sum + group.challenges.length, 0)
  const suffix = address === '' ? '' : `?${address}`
  const context = { own, fresh, current, suffix, count, isGrouped: view.sort === 'category' }
  return (
    <nav aria-label={text.listOf} onKeyDown={onKeyDown}>
      <Arrivals challenges={challenges} scroller={scroller} />
      <ListTools {...{ challenges, own, view }} onChange={change} inputRef={input} />
      {challenges.length === 0 && <NoChallenges />}
      {challenges.length > 0 && groups.length === 0 && (
        <EmptyState action={<Button onClick={clear}>{text.clearFilters}</Button>}>{text.noMatch}</EmptyState>
      )}
      <ScrollAnchor data={challenges} scroller={scroller}>
        {groups.map((group, at) => (
          <GroupPart
            key={group.category ?? ''}
            first={at === 0 ? FIRST : 0}
            {...{ group, context }}
            isFolded={isFolded(group)}
            onFold={(fold) => foldGroup(group.category, fold)}
          />
        ))}
      </ScrollAnchor>
    </nav>
  )
}

function foldGroup(category: string | null, fold: boolean): void {
  if (category === null) return
  const others = (listMemory.read().folded ?? NONE).filter((each) => each !== category)
  updateListMemory({ folded: fold ? [...others, category] : others })
}

interface GroupPartProps {
  readonly group: Group
  readonly first: number
  readonly context: RowContext
  readonly isFolded: boolean
  readonly onFold: (fold: boolean) => void
}

function GroupPart({ group, first, context, isFolded, onFold }: GroupPartProps) {
  const { category, challenges } = group
  const { isTeam, solved } = context.own
  const { done, all } = countSolved(challenges, solved)
  return (
    <section>
      {category !== null && (
        <div className={styles.groupHead} style={categoryStyle(categoryOf(category))}>
          <h2>
            <button
              type="button"
              className={styles.fold}
              aria-expanded={!isFolded}
              onClick={() => onFold(!isFolded)}
            >
              <Icon name={isFolded ? 'chevronEnd' : 'chevronDown'} />
              <CategoryMark name={category} />
            </button>
          </h2>
          {isTeam && all > 0 && <Bunting solved={done} total={all} category={category} />}
          <span className={styles.count} aria-hidden={isTeam}>
            {isTeam ? all > 0 && `${done}/${all}` : challenges.length}
          </span>
        </div>
      )}
      {!isFolded && <ListRows {...{ challenges, first, context }} />}
    </section>
  )
}

/** First-seen times of challenges in this browser, and which of them are new. */
function useSeen(challenges: readonly Challenge[]) {
  const seen = useStore(listMemory).seen ?? NOTHING
  useEffect(() => {
    const before = listMemory.read().seen
    const next = withSeen(
      before,
      challenges.map(({ id }) => id),
      serverNow(),
    )
    if (!isSameSeen(before, next)) updateListMemory({ seen: next })
  }, [challenges])
  const fresh = useTimed((now) => JSON.stringify(newOf(seen, now)))
  return { seen, fresh: useMemo(() => new Set<string>(JSON.parse(fresh)), [fresh]) }
}

/**
 * The view of the list, stored in the URL. A URL without a view gets the last one used here, so that a copied
 * URL shows others the same list.
 */
function useView() {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const view = viewOf(search)
  const isUnsaid = isSilent(search)
  useEffect(() => {
    const kept = viewOf(new URLSearchParams(listMemory.read().view))
    if (!isUnsaid || isSilent(withView(new URLSearchParams(), kept))) return
    setSearch((now) => withView(now, kept), { replace: true, preventScrollReset: true, state })
    // Once per URL without a view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isUnsaid])
  const change = (changes: Partial<View>) => {
    setSearch(
      (now) => {
        const next = { ...viewOf(now), ...changes }
        // The search text is not remembered.
        updateListMemory({ view: withView(new URLSearchParams(), { ...next, query: '' }).toString() })
        return withView(now, next)
      },
      { ...inPlace(changes), state },
    )
  }
  return { search, view, change }
}

export function NoChallenges() {
  const text = useMessages(challengesMessages)
  const { organiser } = useMessages(frameMessages)
  return (
    <EmptyState action={<Link to={paths.announcements()}>{organiser.announcements}</Link>}>
      {text.noChallenges}
    </EmptyState>
  )
}

interface ArrivalsProps {
  readonly challenges: readonly Challenge[]
  readonly scroller: RefObject<HTMLElement | null>
}

/**
 * Announces challenges that were released while the user is scrolled down, and jumps to them. Overlays the
 * list without shifting it.
 */
function Arrivals({ challenges, scroller }: ArrivalsProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const known = useRef<ReadonlySet<string>>(undefined)
  const [arrived, setArrived] = useState<readonly string[]>([])
  useEffect(() => {
    const before = known.current
    const ids = challenges.map(({ id }) => id)
    known.current = new Set(ids)
    if (!before) return
    const fresh = ids.filter((id) => !before.has(id))
    const isRead = isReadFurtherDown(scroller.current)
    setArrived((now) => {
      const kept = now.filter((id) => known.current?.has(id))
      const next = isRead ? [...kept, ...fresh] : kept
      return next.length === 0 && now.length === 0 ? now : next
    })
  }, [challenges, scroller])
  const show = () => {
    const [first] = arrived
    setArrived([])
    if (first !== undefined) focusRow(first)
  }
  return (
    <div role="status" className={styles.arrivals}>
      {arrived.length > 0 && (
        <Button tone="primary" icon="chevronUp" onClick={show}>
          {text.arrived(arrived.length, format.number(arrived.length))}
        </Button>
      )}
    </div>
  )
}

function isReadFurtherDown(list: HTMLElement | null): boolean {
  if (!list) return false
  return (isScroller(list) ? list.scrollTop : window.scrollY) > 0 || list.matches(':hover')
}
