import { divisionName, useConfig, useIsOver } from '../../api/use-contest.ts'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { OwnFacts, Team } from './team.ts'
import styles from './profile.module.css'
import { rankingTeamUrl } from './ranking-link.ts'
import { words } from './words.ts'

const AVATAR_PX = 72

/** Who the team is and where it stands. */
export function Head({ team, own }: { readonly team: Team; readonly own: OwnFacts | undefined }) {
  const text = useText(words)
  const format = useFormat()
  const { name, score, globalPlace, divisionPlace, countryCode, statusText } = team
  const divisions = useConfig()?.divisions ?? {}
  const division = divisionName(divisions, team.division)
  const unranked = text.unranked[useIsOver() ? 'over' : 'yet']
  return (
    <header className={styles.head}>
      <Avatar name={name} url={team.avatarUrl} size={AVATAR_PX} />
      <div className={styles.who}>
        <h1 className={styles.name}>
          <bdi>{name}</bdi>
        </h1>
        {statusText !== null && (
          <p className={styles.muted}>
            <bdi>{statusText}</bdi>
          </p>
        )}
        <p className={styles.facts}>
          <b className={styles.score}>{text.score(format.number(score))}</b>
          {globalPlace !== null && <span>{text.place(format.number(globalPlace))}</span>}
          {globalPlace === null && !own && <span>{unranked}</span>}
          <span>
            {divisionPlace === null ? division : text.divisionPlace(format.number(divisionPlace), division)}
          </span>
          {countryCode !== null && <CountryFlag code={countryCode} />}
          {team.extrankId !== null && <RankingLink id={team.extrankId} />}
        </p>
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
  const text = useText(words)
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

/** What the public page of the team does not tell. */
function OwnLine({ own, unranked }: { readonly own: OwnFacts; readonly unranked: string | null }) {
  const text = useText(words)
  const said = own.isBanned ? text.banned : unranked
  return said === null ? null : <p className={styles.muted}>{text.onlyYou(said)}</p>
}
