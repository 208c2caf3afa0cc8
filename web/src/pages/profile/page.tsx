import { useQuery, useQueryClient } from '@tanstack/react-query'
import { tracksOf } from '../../account/tracks/tracks-of.ts'
import { Link, useParams } from 'react-router'
import { kindOf } from '../../api/failure.ts'
import { profileQuery } from '../../api/queries.ts'
import { useFailure, type Failure } from '../../api/use-failure.ts'
import { useConfig, useGate, useOwnProfile, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { NotOpenYet } from '../../layout/states/not-open-yet.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useMessages } from '../../text/messages.ts'
import { NotFound } from '../../ui/states/messages.tsx'
import styles from './profile.module.css'
import { Profile } from './profile.tsx'
import { Body, HeadWaiting } from './waiting.tsx'

export function Component() {
  const { id } = useParams()
  const own = useOwnTeam().team?.id
  // The own profile URL and the team's public URL show the same page.
  return id === undefined || id === own ? <OwnTeam /> : <OtherTeam key={id} id={id} />
}

function OwnTeam() {
  const text = useMessages(profileMessages)
  const config = useConfig()
  const { isSignedIn, team, query } = useOwnProfile()
  const failure = useFailure(query)
  usePageTitle(team?.name ?? text.title)
  if (!isSignedIn) return <SignInFirst />
  if (team && config)
    return <Profile id={team.id} team={team} times={config} own={{ isBanned: team.banned }} />
  return <Waiting failure={failure} />
}

function OtherTeam({ id }: { readonly id: string }) {
  const text = useMessages(profileMessages)
  const { isOpen, isEarly } = useGate('challsRead')
  const config = useConfig()
  const phase = usePhase()
  const query = useQuery({
    ...profileQuery(id, { bypass: isEarly, query: tracksOf(useQueryClient()) }),
    enabled: isOpen,
  })
  const failure = useFailure(query)
  usePageTitle(query.data?.name ?? text.title)
  if (phase === 'before' && !isOpen) return <NotOpenYet />
  if (query.data && config) return <Profile id={id} team={query.data} times={config} />
  return <Waiting failure={failure} />
}

function Waiting({ failure }: { readonly failure: Failure }) {
  const text = useMessages(profileMessages)
  if (kindOf(failure.error) === 'badUnknownUser') {
    return (
      <div className={styles.page}>
        <h1 className="pn-hidden">{text.notFound}</h1>
        <NotFound title={text.notFound} action={<Link to={paths.scores()}>{text.toScores}</Link>}>
          {text.notFoundText}
        </NotFound>
      </div>
    )
  }
  return (
    <div className={styles.page}>
      <h1 className="pn-hidden">{text.title}</h1>
      <LoadState failure={failure}>
        <HeadWaiting />
        <Body />
      </LoadState>
    </div>
  )
}
