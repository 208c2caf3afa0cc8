import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { serverNow } from '../../state/clock.ts'
import { useStore } from '../../state/store.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { NotFound } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'
import styles from './challenges.module.css'
import { listMemory } from './list-memory.ts'
import { categoriesOf, countSolved, isLive, type Own } from './list-rules.ts'

const MOST_NEXT = 3
const MOST_NEWEST = 5
const MOST_LAST = 5

interface OverviewProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
}

/** While no challenge is chosen: how far the team is, what came, what it solved last, and what others got next. */
export function Overview({ challenges, own: { isTeam, solved } }: OverviewProps) {
  const text = useText(words)
  const format = useFormat()
  const next = challenges
    .filter((each) => each.solves > 0 && !isLive(each) && !solved.has(each.id))
    .toSorted((left, right) => right.solves - left.solves)
    .slice(0, MOST_NEXT)
  return (
    <div className={styles.overview}>
      <Section title={text.overview}>
        <p>{text.pick}</p>
        <ul className={styles.progress}>
          {categoriesOf(challenges).map((category) => {
            const ofIt = challenges.filter((challenge) => challenge.category === category)
            const { done, all } = countSolved(ofIt, solved)
            return (
              <li key={category}>
                <CategoryMark name={category} />
                {isTeam && all > 0 && <Bunting solved={done} total={all} />}
                {isTeam && ofIt.every(isLive) && <Pennant sign="live" />}
                {!isTeam && (
                  <span className={styles.note}>{text.count(ofIt.length, format.number(ofIt.length))}</span>
                )}
              </li>
            )
          })}
        </ul>
      </Section>
      <Newest challenges={challenges} />
      <LastSolves />
      <Few
        title={isTeam ? text.next : text.sortNames.most}
        items={next.map((challenge) => ({
          ...challenge,
          note: text.solves(challenge.solves, format.number(challenge.solves)),
        }))}
      />
    </div>
  )
}

/** What came last, as far as this browser saw it come. */
function Newest({ challenges }: Pick<OverviewProps, 'challenges'>) {
  const text = useText(words)
  const format = useFormat()
  const { seen = {} } = useStore(listMemory)
  const newest = challenges
    .map((challenge) => ({ ...challenge, since: seen[challenge.id] ?? 0 }))
    .filter(({ since }) => since > 0)
    .toSorted((left, right) => right.since - left.since)
    .slice(0, MOST_NEWEST)
  const items = newest.map((one) => ({ ...one, note: format.relative(one.since, serverNow()) }))
  return <Few title={text.newest} items={items} />
}

function LastSolves() {
  const text = useText(words)
  const format = useFormat()
  const { team } = useOwnTeam()
  const last = (team?.solves ?? [])
    .toSorted((left, right) => right.createdAt - left.createdAt)
    .slice(0, MOST_LAST)
  const items = last.map((solve) => ({ ...solve, note: format.relative(solve.createdAt, serverNow()) }))
  return <Few title={text.lastSolves} items={items} />
}

interface FewProps {
  readonly title: string
  readonly items: readonly {
    readonly id: string
    readonly name: string
    readonly category: string
    readonly note: ReactNode
  }[]
}

function Few({ title, items }: FewProps) {
  if (items.length === 0) return null
  return (
    <Section title={title}>
      <ul className={styles.progress}>
        {items.map(({ id, name, category, note }) => (
          <li key={id}>
            <CategoryMark name={category} form="icon" />
            <span className={styles.one}>
              <Link to={paths.challenge(id)}>
                <bdi>{name}</bdi>
              </Link>{' '}
              <span className={styles.note}>{note}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The address names a challenge that is not in the list. */
export function Gone() {
  const text = useText(words)
  return (
    <NotFound title={text.gone} action={<Link to={paths.challenges()}>{text.toList}</Link>}>
      {text.goneText}
    </NotFound>
  )
}
