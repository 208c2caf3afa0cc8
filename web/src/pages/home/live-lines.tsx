import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { boardQuery, challengesQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { serverNow } from '../../state/clock.ts'
import { learnChallenges } from '../../state/first-seen.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Section } from '../../ui/states/panel.tsx'
import styles from './live-lines.module.css'
import { newest } from './newest.ts'
import { words } from './words.ts'

const NEWEST = 3
const TOP = 5
const AVATAR_PX = 20

/** What happens now, beside the column. Each part has its room from the beginning. */
export function LiveLines() {
  const text = useText(words)
  return (
    <aside className={styles.live} aria-label={text.now}>
      <OwnPlace />
      <Newest />
      <TopTeams />
    </aside>
  )
}

function OwnPlace() {
  const text = useText(words)
  const format = useFormat()
  const { isSignedIn, team } = useOwnTeam()
  if (!isSignedIn) return null
  return (
    <Section title={text.ownPlace}>
      <div className={styles.one}>
        {team && (
          <Link to={paths.ownTeam()}>
            {team.globalPlace !== null
              ? text.placeAndScore(format.number(team.globalPlace), format.number(team.score))
              : team.banned
                ? text.bannedUnranked
                : text.notRanked}
          </Link>
        )}
      </div>
    </Section>
  )
}

function Newest() {
  const text = useText(words)
  const { data } = useQuery(challengesQuery())
  const shown = useMemo(() => {
    const seen = learnChallenges(data?.map(({ id }) => id) ?? [], serverNow())
    return newest(data ?? [], seen).slice(0, NEWEST)
  }, [data])
  return (
    <Section title={text.newest}>
      <ul className={styles.three}>
        {shown.map(({ id, name, category }) => (
          <Line key={id}>
            <CategoryMark name={category} form="icon" />
            <Link to={paths.challenge(id)} className={styles.name} title={name}>
              <bdi>{name}</bdi>
            </Link>
          </Line>
        ))}
        {data?.length === 0 && <Line>{text.noChallenges}</Line>}
      </ul>
    </Section>
  )
}

function TopTeams() {
  const text = useText(words)
  const format = useFormat()
  const rows = useQuery(boardQuery({ page: 0, limit: TOP })).data?.leaderboard
  return (
    <Section title={text.topFive}>
      <ol className={styles.five}>
        {rows?.map(({ id, name, avatarUrl, score }) => (
          <Line key={id}>
            <span className={styles.team}>
              <TeamName
                name={name}
                avatarUrl={avatarUrl}
                avatarSize={AVATAR_PX}
                link={(shown) => (
                  <Link to={paths.team(id)} className={styles.name}>
                    {shown}
                  </Link>
                )}
              />
            </span>
            <b>{format.number(score)}</b>
          </Line>
        ))}
        {rows?.length === 0 && <Line>{text.noScores}</Line>}
      </ol>
    </Section>
  )
}

function Line({ children }: { readonly children: ReactNode }) {
  return <li className={styles.line}>{children}</li>
}
