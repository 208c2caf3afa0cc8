import { lazy, Suspense } from 'react'
import { divisionName, useConfig, useIsOver } from '../../api/use-contest.ts'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useHasResults } from './has-results.ts'
import type { OwnFacts, Team } from './team.ts'
import styles from './profile.module.css'
import { rankingTeamUrl } from './ranking-link.ts'

const TrackLine = lazy(async () => ({
  default: (await import('../../account/tracks/track-line.tsx')).TrackLine,
}))

const AVATAR_PX = 72

interface HeadProps {
  readonly id: string
  readonly team: Team
  readonly own: OwnFacts | undefined
}

/** Name, avatar, score and rank of the team. */
export function Head({ id, team, own }: HeadProps) {
  const text = useMessages(profileMessages)
  const format = useFormat()
  const { name, score, globalPlace, divisionPlace, countryCode, statusText } = team
  const divisions = useConfig()?.divisions ?? {}
  const division = divisionName(divisions, team.division)
  const isOpen = useHasResults(team.division)
  const isOver = useIsOver()
  const unranked = isOpen ? text.unranked[isOver ? 'over' : 'yet'] : text.rankClosed
  return (
    <header className="pn-row pn-gap-4">
      <Avatar name={name} teamId={id} url={team.avatarUrl} size={AVATAR_PX} />
      <div className={styles.who}>
        <h1 className="pn-flat">
          <bdi>{name}</bdi>
        </h1>
        {statusText !== null && (
          <p className={styles.muted}>
            <bdi>{statusText}</bdi>
          </p>
        )}
        <p className={styles.facts}>
          {(isOpen || own) && <b className={styles.score}>{text.pointsCount(format.number(score))}</b>}
          {globalPlace !== null && <span>{text.rankOf(format.number(globalPlace))}</span>}
          {globalPlace === null && !own && <span>{unranked}</span>}
          <span>
            {divisionPlace === null ? division : text.divisionPlace(format.number(divisionPlace), division)}
          </span>
          {countryCode !== null && <CountryFlag code={countryCode} />}
          {team.extrankId !== null && <RankingLink id={team.extrankId} />}
        </p>
        {team.track !== undefined && (
          <Suspense>
            <TrackLine track={team.track} place={team.trackPlace ?? null} agent={team.agent} />
          </Suspense>
        )}
        {own && <OwnLine own={own} unranked={globalPlace === null ? unranked : null} />}
      </div>
      {own && (
        <Link className={styles.edit} to={paths.settings()}>
          <Icon name="pencil" />
          {text.edit}
        </Link>
      )}
    </header>
  )
}

function RankingLink({ id }: { readonly id: string }) {
  const text = useMessages(profileMessages)
  const site = useConfig()?.extrank
  const url = site ? rankingTeamUrl(site.authorizeUrl, id) : null
  if (url === null) return null
  return (
    <a className={styles.ranking} href={url} rel="noopener noreferrer" target="_blank">
      {text.rankingSite}
      <Icon name="external" />
    </a>
  )
}

/** Details that the team's public page does not contain. */
function OwnLine({ own, unranked }: { readonly own: OwnFacts; readonly unranked: string | null }) {
  const text = useMessages(profileMessages)
  const said = own.isBanned ? text.banned : unranked
  return said === null ? null : <p className={styles.muted}>{text.onlyYou(said)}</p>
}
