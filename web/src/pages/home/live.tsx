import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { boardQuery, challengesQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useLatestSolves } from '../../api/use-latest-solves.ts'
import { paths } from '../../paths.ts'
import { serverNow } from '../../state/clock.ts'
import { learnChallenges } from '../../state/first-seen.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Movement } from '../../ui/marks/movement.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { lineColour } from '../../ui/plots/labels.ts'
import { Sparkline } from '../../ui/plots/sparkline.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Actions, EventName, HangingClock, Words, type Config } from './event-parts.tsx'
import shared from './home.module.css'
import styles from './results.module.css'
import { newest } from './newest.ts'
import { OwnResult } from './own-result.tsx'
import { nextFor } from './standing.ts'

const LISTED = 5
const FIRST_BLOODS = 3
const AVATAR_PX = 26

/** The page while the event runs: the own place, who leads, what to do next. */
export function Live({ config }: { readonly config: Config }) {
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
          <HangingClock until={config.endTime} label={text.endsIn} />
        </Panel>
      </div>
      <FirstBloods />
      <div className={styles.columns}>
        <TopTeams />
        {isSignedIn ? <Next /> : <Newest />}
      </div>
      <Words config={config} />
    </div>
  )
}

/** The latest first bloods. Left out while there are none. */
function FirstBloods() {
  const text = useMessages(homeMessages)
  const solves = useLatestSolves() ?? []
  const bloods = solves.filter(({ bloodIndex }) => bloodIndex === 0).slice(0, FIRST_BLOODS)
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
          </li>
        ))}
      </ul>
    </section>
  )
}

function TopTeams() {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const { team } = useOwnTeam()
  const rows = useQuery(boardQuery({ page: 0 })).data?.leaderboard.slice(0, LISTED)
  return (
    <Panel title={text.topFive}>
      <ol className={styles.lines}>
        {rows?.map(({ id, name, avatarUrl, score, trend }, at) => (
          <li key={id} className={cx(styles.line, styles[`medal${at + 1}`], id === team?.id && styles.isOwn)}>
            <span className={styles.place}>
              {at < BLOODS.length ? (
                <Pennant sign={BLOODS[at] ?? 'blood1'} size={22} hidden />
              ) : (
                format.number(at + 1)
              )}
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
              <span className={styles.trend} style={{ color: `var(--pn-${lineColour(at)})` }}>
                <Movement change={trend.globalPlaceChange} />
                <Sparkline scores={trend.scores} width={84} height={24} hasArea />
              </span>
            )}
            <b className={styles.points}>{format.number(score)}</b>
          </li>
        ))}
        {rows?.length === 0 && <li className={styles.line}>{text.noScores}</li>}
      </ol>
    </Panel>
  )
}

function Next() {
  const text = useMessages(homeMessages)
  const { data } = useQuery(challengesQuery())
  const { team } = useOwnTeam()
  const open = data && team ? nextFor(data, team.solves) : []
  return (
    <Panel title={text.next} actions={<Link to={paths.challenges()}>{text.challenges}</Link>}>
      <ChallengeLines challenges={open.slice(0, LISTED)}>
        {data && team && open.length === 0 && (
          <li className={styles.line}>{data.length === 0 ? text.noChallenges : text.allSolved}</li>
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
        {data?.length === 0 && <li className={styles.line}>{text.noChallenges}</li>}
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
          <span className={styles.solves}>{text.solves(format.number(solves))}</span>
          <b className={styles.points}>{format.number(points)}</b>
        </li>
      ))}
      {children}
    </ul>
  )
}
