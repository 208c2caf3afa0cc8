import type { ProfileV2 } from '@pennant/contract/teams.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { challengesQuery } from '../../api/queries.ts'
import { useConfig, useGate } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Bunting } from '../../ui/marks/bunting.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Section } from '../../ui/states/panel.tsx'
import styles from './profile.module.css'
import { SolveTable } from './solve-table.tsx'
import { words } from './words.ts'

export type Team = z.output<typeof ProfileV2>

interface ProfileProps {
  readonly team: Team
  /** What only the team itself is shown. */
  readonly own?: { readonly isBanned: boolean }
}

const AVATAR_PX = 72

/** What a team has done. */
export function Profile({ team, own }: ProfileProps) {
  const text = useText(words)
  return (
    <div className={styles.page}>
      <Head team={team} />
      {own && <Link to={paths.settings()}>{text.edit}</Link>}
      {own?.isBanned && (
        <p role="status">
          {text.onlyYou} {text.banned}
        </p>
      )}
      <div className={styles.columns}>
        <Categories team={team} />
        <Section title={text.solves}>
          <SolveTable solves={team.solves} />
        </Section>
      </div>
    </div>
  )
}

function Head({ team }: { readonly team: Team }) {
  const text = useText(words)
  const format = useFormat()
  const divisions = useConfig()?.divisions ?? {}
  const division = divisions[team.division] ?? team.division
  return (
    <header className={styles.head}>
      <Avatar name={team.name} url={team.avatarUrl} size={AVATAR_PX} />
      <div className={styles.who}>
        <h1 className={styles.name}>
          <bdi>{team.name}</bdi>
        </h1>
        {team.statusText !== null && (
          <p className={styles.muted}>
            <bdi>{team.statusText}</bdi>
          </p>
        )}
        <p className={styles.facts}>
          <b>{text.score(format.number(team.score))}</b>
          <span>
            {team.globalPlace === null ? text.notRanked : text.place(format.number(team.globalPlace))}
          </span>
          {team.divisionPlace !== null && (
            <span>{text.divisionPlace(format.number(team.divisionPlace), division)}</span>
          )}
          {team.countryCode !== null && <CountryFlag code={team.countryCode} />}
        </p>
      </div>
    </header>
  )
}

/** How much of each category is solved, by today's list of challenges. */
function Categories({ team }: { readonly team: Team }) {
  const text = useText(words)
  const { isOpen, isEarly } = useGate('challsRead')
  const { data: challenges = [] } = useQuery({ ...challengesQuery({ bypass: isEarly }), enabled: isOpen })
  const solved = new Set(team.solves.map(({ id }) => id))
  const names = [...new Set(challenges.map(({ category }) => category))].sort(compareCategories)
  const live = team.dynamicScores.map((score) => ({
    ...score,
    name: challenges.find(({ id }) => id === score.id)?.name ?? score.id,
  }))
  return (
    <div className={styles.side}>
      <Section title={text.categories}>
        <ul className={styles.list}>
          {names.map((name) => {
            const all = challenges.filter(({ category }) => category === name)
            return (
              <li key={name}>
                <CategoryMark name={name} />
                <span className={styles.bunting}>
                  <Bunting solved={all.filter(({ id }) => solved.has(id)).length} total={all.length} />
                </span>
              </li>
            )
          })}
        </ul>
      </Section>
      {live.length > 0 && <Live scores={live} />}
    </div>
  )
}

interface LiveScore {
  readonly id: string
  readonly name: string
  readonly points: number
  readonly pointDelta: number
}

function Live({ scores }: { readonly scores: readonly LiveScore[] }) {
  const text = useText(words)
  const format = useFormat()
  return (
    <Section title={text.live}>
      <ul className={styles.list}>
        {scores.map(({ id, name, points, pointDelta }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <b>{format.number(points)}</b>
            <span className={styles.muted}>
              {pointDelta < 0 ? '' : '+'}
              {format.number(pointDelta)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
