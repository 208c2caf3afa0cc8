import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { boardQuery, challengesQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { Podium as PodiumOf } from '../../ui/board/podium.tsx'
import { paths } from '../../paths.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Icon } from '../../ui/icon.tsx'
import { categoryOf } from '../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../ui/marks/category-mark.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { EventName, Words, type Config, type PhaseProps } from './event-parts.tsx'
import shared from './home.module.css'
import styles from './ended.module.css'
import { OwnResult } from './own-result.tsx'
import { solvesByCategory } from './standing.ts'

/** The page after the event: who won, the own result, figures, where to go next. */
export function Ended({ config, news }: PhaseProps) {
  const text = useMessages(homeMessages)
  const { isSignedIn } = useOwnTeam()
  return (
    <div className={shared.wide}>
      <div>
        <EventName config={config} />
        <p className={shared.when}>{text.over}</p>
      </div>
      <div className={styles.result}>
        <Podium />
        <div className={styles.aside}>
          {isSignedIn && <OwnResult />}
          <Figures />
        </div>
      </div>
      {news}
      <GoOn config={config} />
      <Words config={config} />
    </div>
  )
}

function Podium() {
  const rows = useQuery(boardQuery({ page: 0 })).data?.leaderboard
  return <PodiumOf rows={rows ?? []} />
}

/** The event in numbers. */
function Figures() {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const teams = useQuery(boardQuery({ page: 0 })).data?.total
  const challenges = useQuery(challengesQuery()).data
  const bySolves =
    challenges?.filter(({ solves }) => solves > 0).toSorted((a, b) => b.solves - a.solves) ?? []
  const [most, least] = [bySolves[0], bySolves.at(-1)]
  const flags = bySolves.reduce((sum, { solves }) => sum + solves, 0)
  const figures = [
    [teams, text.teams],
    [challenges?.length, text.challengesIn],
    [challenges && flags, text.flags],
    [challenges && challenges.length - bySolves.length, text.unsolved],
  ] as const
  return (
    <>
      <section className={styles.numbers} aria-label={text.inNumbers}>
        {figures.map(([figure, meaning], at) => (
          <p key={at}>
            <b>{figure === undefined ? '…' : format.number(figure)}</b>
            {meaning(figure ?? 0)}
          </p>
        ))}
        {most && least && most !== least && (
          <>
            <p>
              <b className={styles.word}>
                <bdi>{most.name}</bdi>
              </b>
              {text.solvedMost(format.number(most.solves))}
            </p>
            <p>
              <b className={styles.word}>
                <bdi>{least.name}</bdi>
              </b>
              {text.hardest(format.number(least.solves))}
            </p>
          </>
        )}
      </section>
      {flags > 0 && <Categories rows={solvesByCategory(challenges ?? [])} />}
    </>
  )
}

function Categories({ rows }: { readonly rows: ReturnType<typeof solvesByCategory> }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const most = Math.max(...rows.map(([, solves]) => solves))
  return (
    <Panel title={text.byCategory}>
      <ul className={styles.bars}>
        {rows.map(([category, solves]) => (
          <li key={category} style={clothStyle(categoryOf(category))}>
            <CategoryMark name={category} />
            <span className={styles.bar}>
              <span style={{ inlineSize: `${(solves / most) * 100}%` }} />
            </span>
            <b>{format.number(solves)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function GoOn({ config }: { readonly config: Config }) {
  const text = useMessages(homeMessages)
  const { isSignedIn } = useOwnTeam()
  const hasStatistics = config.statistics === true && config.freezeTime === undefined
  const ways = [
    [paths.scores(), text.standings, text.standingsText],
    [paths.challenges(), text.challenges, text.challengesText],
    ...(hasStatistics ? [[paths.statistics(), text.statistics, text.statisticsText] as const] : []),
    ...(isSignedIn ? [[paths.ownTeam(), text.toProfile, text.ownTeamText] as const] : []),
  ] as const
  return (
    <nav className={styles.ways} aria-label={text.goOn}>
      {ways.map(([to, title, about]) => (
        <Link key={to} to={to}>
          <span>
            <b>{title}</b>
            <span aria-hidden="true">{about}</span>
          </span>
          <Icon name="chevronEnd" />
        </Link>
      ))}
    </nav>
  )
}
