import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Trend } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import { boardQuery, challengesQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useFirstBloods } from '../../api/use-latest-solves.ts'
import { useOwnTrend } from '../../api/use-own-trend.ts'
import { paths } from '../../paths.ts'
import { serverNow, useNow } from '../../state/clock.ts'
import { learnChallenges } from '../../state/first-seen.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Movement } from '../../ui/marks/movement.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { lineColour } from '../../ui/plots/labels.ts'
import { Sparkline } from '../../ui/plots/sparkline.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Actions, EventName, HangingClock, Words, type Config, type PhaseProps } from './event-parts.tsx'
import shared from './home.module.css'
import styles from './results.module.css'
import { newest } from './newest.ts'
import { OwnResult } from './own-result.tsx'
import { nextFor } from './standing.ts'

const LISTED = 5
/** With the own team below the top five; the list beside it is as long. */
const LISTED_TO_TEAMS = 6
const FIRST_BLOODS = 3
const AVATAR_PX = 26

/** The page while the event runs: the own place, who leads, what to do next. */
export function Live({ config, news }: PhaseProps) {
  const text = useMessages(homeMessages)
  const { isSignedIn } = useOwnTeam()
  return (
    <div className={shared.wide}>
      <div className={styles.top}>
        {isSignedIn ? (
          <>
            <h1 className="pn-hidden">{config.ctfName}</h1>
            <OwnResult />
          </>
        ) : (
          <div>
            <EventName config={config} />
            <Actions config={config} isRunning />
          </div>
        )}
        <Panel title={text.endsIn}>
          <div className={styles.clock}>
            <HangingClock until={config.endTime} label={text.endsIn} />
            <Course config={config} />
          </div>
        </Panel>
      </div>
      <FirstBloods />
      {news}
      <div className={cx(styles.columns, isSignedIn && styles.isTeams)}>
        <TopTeams />
        {isSignedIn ? <Next /> : <Newest />}
      </div>
      <Words config={config} />
    </div>
  )
}

/** How much of the event has passed, from its start to its end. */
function Course({ config: { startTime, endTime } }: { readonly config: Config }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const passed = Math.min(1, Math.max(0, (useNow() - startTime) / (endTime - startTime)))
  return (
    <div className={styles.course}>
      <span className={styles.past} aria-hidden="true">
        <span style={{ inlineSize: `${(passed * 100).toFixed(1)}%` }} />
      </span>
      <p>
        <span>{text.startedAt(format.dateTime(startTime))}</span>
        <span>{text.endsAt(format.dateTime(endTime))}</span>
      </p>
    </div>
  )
}

/** The latest first bloods. Left out while there are none. */
function FirstBloods() {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const bloods = useFirstBloods()?.slice(0, FIRST_BLOODS)
  // Its space is reserved while it loads.
  if (bloods === undefined) return <div className={styles.bloods} />
  if (bloods.length === 0) return null
  return (
    <section className={styles.bloods} aria-label={text.firstBloods}>
      <b>
        <Pennant sign="blood1" size={20} hidden /> {text.firstBloods}
      </b>
      <ul>
        {bloods.map((solve) => (
          <li key={solve.id}>
            <Link to={paths.team(solve.userId)} className={styles.cut}>
              <TeamName
                name={solve.userName}
                teamId={solve.userId}
                avatarUrl={solve.userAvatarUrl}
                avatarSize={22}
              />
            </Link>
            <CategoryMark name={solve.category} form="icon" />
            <Link to={paths.challenge(solve.challengeId)} className={styles.cut}>
              <bdi>{solve.challengeName}</bdi>
            </Link>
            <time dateTime={new Date(solve.createdAt).toISOString()} title={format.dateTime(solve.createdAt)}>
              {format.relative(solve.createdAt, serverNow())}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TopTeams() {
  const text = useMessages(homeMessages)
  const { team } = useOwnTeam()
  const ownTrend = useOwnTrend()
  const rows = useQuery(boardQuery({ page: 0 })).data?.leaderboard.slice(0, LISTED)
  const isBelow = rows !== undefined && (team?.globalPlace ?? 0) > LISTED
  return (
    <Panel title={text.topFive} actions={<Link to={paths.scores()}>{text.scoreboard}</Link>}>
      <ol className={styles.lines}>
        {rows?.map((row, at) => (
          <TeamLine
            key={row.id}
            {...row}
            place={at + 1}
            colour={lineColour(at)}
            className={cx(row.id === team?.id && styles.isOwn)}
          />
        ))}
        {isBelow && team && (
          <TeamLine
            {...team}
            place={team.globalPlace ?? 0}
            trend={ownTrend}
            colour="accent"
            className={cx(styles.isApart, styles.isOwn)}
          />
        )}
        {rows?.length === 0 && (
          <li className={styles.line}>
            <EmptyState isPart>{text.noScores}</EmptyState>
          </li>
        )}
      </ol>
    </Panel>
  )
}

interface TeamLineProps {
  readonly id: string
  readonly name: string
  readonly avatarUrl: string | null
  readonly score: number
  readonly place: number
  readonly trend?: z.output<typeof Trend> | undefined
  /** Name of the colour of its score over time. */
  readonly colour: string
  readonly className: string
}

function TeamLine({ id, name, avatarUrl, score, place, trend, colour, className }: TeamLineProps) {
  const format = useFormat()
  const sign = BLOODS[place - 1]
  return (
    <li className={cx(styles.line, className)} value={place} data-medal={sign && place}>
      <span className={styles.place}>
        {sign ? <Pennant sign={sign} size={22} hidden /> : format.number(place)}
      </span>
      <span className={styles.who}>
        <TeamName
          name={name}
          teamId={id}
          avatarUrl={avatarUrl}
          avatarSize={AVATAR_PX}
          link={(shown) => (
            <Link to={paths.team(id)} className={styles.cut}>
              {shown}
            </Link>
          )}
        />
      </span>
      {trend && (
        <span className={styles.trend} style={{ color: `var(--pn-${colour})` }}>
          <Movement change={trend.globalPlaceChange} />
          <Sparkline scores={trend.scores} width={84} height={24} hasArea />
        </span>
      )}
      <b className={styles.points}>{format.number(score)}</b>
    </li>
  )
}

function Next() {
  const text = useMessages(homeMessages)
  const { data } = useQuery(challengesQuery())
  const { team } = useOwnTeam()
  const open = data && team ? nextFor(data, team.solves) : []
  return (
    <Panel title={text.next} actions={<Link to={paths.challenges()}>{text.challenges}</Link>}>
      <ChallengeLines challenges={open.slice(0, LISTED_TO_TEAMS)}>
        {data && team && open.length === 0 && (
          <li className={styles.line}>
            <EmptyState isPart>{data.length === 0 ? text.noChallenges : text.allSolved}</EmptyState>
          </li>
        )}
      </ChallengeLines>
    </Panel>
  )
}

function Newest() {
  const text = useMessages(homeMessages)
  const { data } = useQuery(challengesQuery())
  const shown = useMemo(() => {
    const seen = learnChallenges(data?.map(({ id }) => id) ?? [], serverNow())
    return newest(data ?? [], seen).slice(0, LISTED)
  }, [data])
  return (
    <Panel title={text.newest}>
      <ChallengeLines challenges={shown}>
        {data?.length === 0 && (
          <li className={styles.line}>
            <EmptyState isPart>{text.noChallenges}</EmptyState>
          </li>
        )}
      </ChallengeLines>
    </Panel>
  )
}

interface ChallengeLinesProps {
  readonly challenges: readonly {
    readonly id: string
    readonly name: string
    readonly category: string
    readonly solves: number
    readonly points: number
  }[]
  readonly children: ReactNode
}

function ChallengeLines({ challenges, children }: ChallengeLinesProps) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  return (
    <ul className={styles.lines}>
      {challenges.map(({ id, name, category, solves, points }) => (
        <li key={id} className={styles.line}>
          <CategoryMark name={category} form="icon" />
          <Link to={paths.challenge(id)} className={cx(styles.who, styles.cut)} title={name}>
            <bdi>{name}</bdi>
          </Link>
          <span className={styles.solves}>{text.solvesCount(solves, format.number(solves))}</span>
          <b className={styles.points}>{format.number(points)}</b>
        </li>
      ))}
      {children}
    </ul>
  )
}
