import { useDeferredValue, useMemo, useRef, type RefObject } from 'react'
import { useStore } from '../../state/store.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'
import { Arrivals } from './arrivals.tsx'
import { keepOfList, listMemory } from './list-memory.ts'
import { useListKeys } from './list-keys.ts'
import { countSolved, groupsOf, viewOf, withTab, type Group, type Own } from './list-rules.ts'
import { ListRows, type RowContext } from './list-rows.tsx'
import { ListTools } from './list-tools.tsx'
import styles from './list.module.css'
import { ScrollAnchor } from './scroll-anchor.ts'
import { useSeen } from './use-seen.ts'
import { useView } from './use-view.ts'

interface ChallengeListProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
  readonly current: string | undefined
  readonly scroller: RefObject<HTMLElement | null>
}

const NONE: readonly string[] = []
/** So many rows are in sight on most screens when the page opens. */
const FIRST = 15

/** All challenges of the view that the address names, by keys `/`, `j`, `k` and `x` too. */
export function ChallengeList({ challenges, own, current, scroller }: ChallengeListProps) {
  const text = useText(words)
  const { search, view, change } = useView()
  const { seen, fresh } = useSeen(challenges)
  const { folded = NONE } = useStore(listMemory)
  // Typing goes first, the list follows.
  const address = useDeferredValue(withTab(search, 'details').toString())
  const { isTeam, solved } = own
  const groups = useMemo(() => {
    const shown = viewOf(new URLSearchParams(address))
    // An address may come from somebody who is signed in.
    return groupsOf(challenges, { solved, seen }, isTeam ? shown : { ...shown, show: 'all' })
  }, [challenges, isTeam, solved, seen, address])
  // What is searched for is shown wherever it stands.
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
  const context = { own, fresh, current, suffix, count }
  return (
    <nav aria-label={text.listOf} onKeyDown={onKeyDown}>
      <Arrivals challenges={challenges} scroller={scroller} />
      <ListTools {...{ challenges, own, view }} onChange={change} inputRef={input} />
      {challenges.length === 0 && <EmptyState>{text.none}</EmptyState>}
      {challenges.length > 0 && groups.length === 0 && (
        <EmptyState action={<Button onClick={clear}>{text.clear}</Button>}>{text.noMatch}</EmptyState>
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
  keepOfList({ folded: fold ? [...others, category] : others })
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
        <div className={styles.groupHead}>
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
          {isTeam && all > 0 && <Bunting solved={done} total={all} />}
          <span className={styles.count} aria-hidden={isTeam}>
            {isTeam ? all > 0 && `${done}/${all}` : challenges.length}
          </span>
        </div>
      )}
      {!isFolded && <ListRows {...{ challenges, first, context }} />}
    </section>
  )
}
