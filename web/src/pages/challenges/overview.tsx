import { Link } from 'react-router'
import { useLatestSolves } from '../../api/use-latest-solves.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { serverNow } from '../../state/clock.ts'
import { useStore } from '../../state/store.ts'
import { challengesMessages } from '../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { BuntingLine } from '../../ui/marks/bunting-line.tsx'
import { categoryOf } from '../../ui/marks/categories.ts'
import { CategoryMark, categoryStyle } from '../../ui/marks/category-mark.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { NotFound } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import styles from './overview.module.css'
import { listMemory } from './list/memory.ts'
import { categoriesOf, clothsOf, countSolved, isLive, nextOf, pointsOf, type Own } from './list/rules.ts'

const MAX_NEWEST = 5
const BIG = { width: 800, cloth: { width: 28, height: 40 }, sag: 0.03 }
const SMALL = { width: 340, cloth: { width: 24, height: 34 }, sag: 0.03 }

interface OverviewProps {
  readonly challenges: readonly Challenge[]
  readonly own: Own
}

/** Shown while no challenge is open: progress, a card for each category, new challenges and the latest solves. */
export function Overview({ challenges, own }: OverviewProps) {
  const text = useMessages(challengesMessages)
  return (
    <div className={styles.overview}>
      <div className={styles.progress}>
        <h2 className="pn-hidden">{text.overview}</h2>
        <div className={styles.big}>
          <BuntingLine
            items={categoriesOf(challenges).flatMap((category) =>
              clothsOf(
                challenges.filter((challenge) => challenge.category === category),
                own,
              ),
            )}
            {...BIG}
          />
        </div>
        <Sums challenges={challenges} own={own} />
        <ul className={styles.cards}>
          {categoriesOf(challenges).map((category) => (
            <CategoryCard
              key={category}
              category={category}
              challenges={challenges.filter((challenge) => challenge.category === category)}
              own={own}
            />
          ))}
        </ul>
        <Newest challenges={challenges} />
      </div>
      <Feed />
    </div>
  )
}

/** What the team has, or for visitors what there is. */
function Sums({ challenges, own }: OverviewProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const points = pointsOf(challenges, own)
  const solved = countSolved(challenges, own.solved)
  if (!own.isTeam)
    return (
      <p className={styles.sums}>
        <span>
          <b>{format.number(challenges.length)}</b> {text.challengesIn(challenges.length)}
        </span>
        <span>
          <b>{format.number(points.all)}</b> {text.pointsIn(points.all)}
        </span>
      </p>
    )
  return (
    <p className={styles.sums}>
      <span>
        <b>{format.number(solved.done)}</b> {text.ofSolved(format.number(solved.all))}
      </span>
      <span>
        <b>{format.number(points.own)}</b> {text.ofPoints(format.number(points.all))}
      </span>
    </p>
  )
}

interface CategoryCardProps extends OverviewProps {
  readonly category: string
}

function CategoryCard({ category, challenges, own }: CategoryCardProps) {
  const { isTeam, solved } = own
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { done, all } = countSolved(challenges, solved)
  const next = nextOf(challenges, solved)
  return (
    <li className={styles.card} style={categoryStyle(categoryOf(category))}>
      <p className={styles.cardHead}>
        <CategoryMark name={category} size={20} />
        <span className={styles.share} aria-hidden={isTeam && all > 0}>
          {isTeam && all > 0 ? (
            <>
              <b>{format.number(done)}</b> / {format.number(all)}
            </>
          ) : (
            text.count(challenges.length, format.number(challenges.length))
          )}
        </span>
      </p>
      {all > 0 && (
        <BuntingLine
          items={clothsOf(challenges, own)}
          {...SMALL}
          {...(isTeam && { label: text.solvedOf(done, all) })}
        />
      )}
      {next ? (
        <p className={styles.next}>
          {isTeam && <span>{text.next}</span>}
          <Link to={paths.challenge(next.id)} title={next.name}>
            <bdi>{next.name}</bdi>
          </Link>
          {isLive(next) ? (
            <Pennant sign="live" />
          ) : (
            <>
              <span>{text.solvesCount(next.solves, format.number(next.solves))}</span>
              <b>{format.number(next.points)}</b>
            </>
          )}
        </p>
      ) : (
        <p className={styles.next}>{text.allDone}</p>
      )}
    </li>
  )
}

/** The newest challenges, by first-seen time in this browser. */
function Newest({ challenges }: Pick<OverviewProps, 'challenges'>) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { seen = {} } = useStore(listMemory)
  const newest = challenges
    .map((challenge) => ({ ...challenge, since: seen[challenge.id] ?? 0 }))
    .filter(({ since }) => since > 0)
    .toSorted((left, right) => right.since - left.since)
    .slice(0, MAX_NEWEST)
  if (newest.length === 0) return null
  return (
    <Section title={text.newest}>
      <ul className={styles.newest}>
        {newest.map(({ id, name, category, since }) => (
          <li key={id}>
            <CategoryMark name={category} form="icon" />
            <span className={styles.one}>
              <Link to={paths.challenge(id)}>
                <bdi>{name}</bdi>
              </Link>{' '}
              <span className={styles.note}>{format.relative(since, serverNow())}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The latest solves of all teams. Missing on a server without them, and in an archive. */
function Feed() {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { team } = useOwnTeam()
  const solves = useLatestSolves()
  if (solves === undefined || solves.length === 0) return null
  return (
    <Section title={text.latestSolves} className={styles.feed}>
      <ol>
        {solves.map((solve) => (
          <li
            key={solve.id}
            data-own={solve.userId === team?.id || undefined}
            data-blood={solve.bloodIndex === 0 || undefined}
          >
            <span className={styles.who}>
              <TeamName
                name={solve.userName}
                teamId={solve.userId}
                avatarUrl={solve.userAvatarUrl}
                link={(name) => <Link to={paths.team(solve.userId)}>{name}</Link>}
              />
              {solve.bloodIndex !== null && <Pennant sign={BLOODS[solve.bloodIndex] ?? 'solved'} />}
            </span>
            <span className={styles.what}>
              <CategoryMark name={solve.category} form="icon" size={14} />
              <Link to={paths.challenge(solve.challengeId)} title={solve.challengeName}>
                <bdi>{solve.challengeName}</bdi>
              </Link>
              <span className={styles.note}>{format.relative(solve.createdAt, serverNow())}</span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** The challenge in the URL is not in the list. */
export function Gone() {
  const text = useMessages(challengesMessages)
  return (
    <NotFound title={text.notFound} action={<Link to={paths.challenges()}>{text.toList}</Link>}>
      {text.notFoundText}
    </NotFound>
  )
}
