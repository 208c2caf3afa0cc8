import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { boardQuery, challengesQuery, PAGE_SIZE } from '../../api/queries.ts'
import { useIsOver, useOwnTeam } from '../../api/use-contest.ts'
import { useOwnTrend } from '../../api/use-own-trend.ts'
import { paths } from '../../paths.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { BuntingLine } from '../../ui/marks/bunting-line.tsx'
import { Movement } from '../../ui/marks/movement.tsx'
import { Sparkline } from '../../ui/plots/sparkline.tsx'
import { useMedia } from '../../ui/use-media.ts'
import styles from './results.module.css'
import { buntingOf } from './standing.ts'

const AVATAR_PX = 36
const CLOTH = { width: 15, height: 22 }
/** On a wide page all challenges of a usual event are on one line. */
const MAX_ON_A_WIDE_LINE = 60

type Team = NonNullable<ReturnType<typeof useOwnTeam>['team']>

/**
 * Place, points, solves and score line of the own team. Its space is reserved while it loads, and it appears as a whole:
 * the bunting is as high as the number of challenges requires.
 */
export function OwnResult() {
  const text = useMessages(homeMessages)
  const { team } = useOwnTeam()
  const challenges = useQuery(challengesQuery())
  const board = useQuery(boardQuery({ page: 0 }))
  const isComplete = !challenges.isPending && !board.isPending
  return (
    <section className={styles.own} aria-label={text.yourTeam}>
      {team && isComplete && <Result team={team} />}
    </section>
  )
}

function Result({ team }: { readonly team: Team }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const challenges = useQuery(challengesQuery()).data ?? []
  const total = useQuery(boardQuery({ page: 0 })).data?.total
  const bunting = buntingOf(challenges, team.solves)
  const solved = bunting.filter(({ state }) => state !== 'open').length
  const { globalPlace } = team
  return (
    <>
      <Bunting items={bunting} label={text.solvedOf(solved, bunting.length)} />
      <div className={styles.ownFacts}>
        {globalPlace !== null && (
          <span className={styles.ownPlace} aria-hidden="true">
            {format.number(globalPlace)}
            {total !== undefined && <small>{text.ofTeams(format.number(total))}</small>}
          </span>
        )}
        <div className={styles.ownWho}>
          <Link to={paths.ownTeam()} className={styles.ownName}>
            <Avatar name={team.name} teamId={team.id} url={team.avatarUrl} size={AVATAR_PX} />
            <bdi>{team.name}</bdi>
          </Link>
          <p>
            {/* Said for readers only, beside the large number. */}
            <span className={globalPlace === null ? undefined : 'pn-hidden'}>
              <Place team={team} />{' '}
              {globalPlace !== null && total !== undefined && text.ofTeams(format.number(total))}
            </span>{' '}
            <Moved />
          </p>
          <dl className={styles.figures}>
            <dt>{text.points}</dt>
            <dd>{format.number(team.score)}</dd>
            <dt>{text.solved}</dt>
            <dd>{text.ofChallenges(format.number(solved), format.number(bunting.length))}</dd>
          </dl>
        </div>
        <ScoreLine />
      </div>
      <Gap team={team} />
    </>
  )
}

/** How the rank has changed, if it has. */
function Moved() {
  const text = useMessages(homeMessages)
  const change = useOwnTrend()?.globalPlaceChange ?? 0
  if (change === 0) return null
  return (
    <>
      <Movement change={change} /> <span aria-hidden="true">{text.lastHour}</span>
    </>
  )
}

/** How far the next team ahead is. Its space is reserved while the rows load. */
function Gap({ team }: { readonly team: Team }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const isOver = useIsOver()
  const place = team.globalPlace ?? 0
  const isListed = place <= PAGE_SIZE
  const first = useQuery(boardQuery({ page: 0 })).data?.leaderboard
  const single = boardQuery({ page: Math.max(0, place - 2), limit: 1, everyMs: MINUTE_MS })
  const ahead = useQuery({ ...single, enabled: !isListed }).data?.leaderboard[0]
  if (isOver || place === 0) return null
  const next = isListed ? first?.[place - 2] : ahead
  const behind = isListed ? first?.[place] : undefined
  return (
    <p className={styles.gap}>
      {place === 1 && <span>{text.leading}</span>}
      {next && next.id !== team.id && (
        <span>{text.behind(format.number(Math.max(0, next.score - team.score)), next.name)}</span>
      )}
      {behind && behind.id !== team.id && (
        <span>{text.ahead(format.number(Math.max(0, team.score - behind.score)), behind.name)}</span>
      )}
    </p>
  )
}

function Place({ team: { globalPlace, banned } }: { readonly team: Team }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const isOver = useIsOver()
  if (banned) return text.bannedUnranked
  if (globalPlace === null) return isOver ? text.notRankedOver : text.notRanked
  const place = format.number(globalPlace)
  return isOver ? text.finished(place) : text.rankOf(place)
}

function Bunting({ items, label }: { readonly items: ReturnType<typeof buntingOf>; readonly label: string }) {
  const isWide = useMedia('(min-width: 768px)')
  return (
    <div className={styles.bunting}>
      {items.length > 0 && (
        <BuntingLine
          items={items}
          width={isWide ? 840 : 340}
          cloth={CLOTH}
          label={label}
          {...(isWide ? { most: MAX_ON_A_WIDE_LINE } : {})}
        />
      )}
    </div>
  )
}

function ScoreLine() {
  const trend = useOwnTrend()
  return (
    <span className={styles.ownLine}>
      {trend && <Sparkline scores={trend.scores} width={360} height={120} hasArea />}
    </span>
  )
}
