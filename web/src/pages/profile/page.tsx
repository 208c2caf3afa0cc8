import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { RequestFailure } from '../../api/failure.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { useConfig, useGate, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { NotOpenYet } from '../../layout/not-open-yet.tsx'
import { SignInFirst } from '../../layout/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { ErrorState, NotFound } from '../../ui/states/messages.tsx'
import styles from './profile.module.css'
import { Profile } from './profile.tsx'
import { teamQuery } from './team-query.ts'
import { Body, HeadWaiting } from './waiting.tsx'
import { words } from './words.ts'

export function Component() {
  const { id } = useParams()
  const own = useOwnTeam().team?.id
  // The own address and the team's public one show the same.
  return id === undefined || id === own ? <OwnTeam /> : <OtherTeam key={id} id={id} />
}

function OwnTeam() {
  const text = useText(words)
  const config = useConfig()
  const { isSignedIn, team, query } = useOwnTeam()
  const { failure, retry } = useTrouble(query)
  usePageTitle(team?.name ?? text.title)
  if (!isSignedIn) return <SignInFirst />
  if (team && config)
    return <Profile id={team.id} team={team} times={config} own={{ isBanned: team.banned }} />
  return <Waiting error={failure} onRetry={retry} />
}

function OtherTeam({ id }: { readonly id: string }) {
  const text = useText(words)
  const { isOpen, isEarly } = useGate('challsRead')
  const config = useConfig()
  const phase = usePhase()
  const query = useQuery({ ...teamQuery(id, { bypass: isEarly }), enabled: isOpen })
  const { failure, retry } = useTrouble(query)
  usePageTitle(query.data?.name ?? text.title)
  if (phase === 'before' && !isOpen) return <NotOpenYet />
  if (query.data && config) return <Profile id={id} team={query.data} times={config} />
  return <Waiting error={failure} onRetry={retry} />
}

function Waiting({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  const text = useText(words)
  const errorText = useErrorText()
  const format = useFormat()
  if (error instanceof RequestFailure && error.kind === 'badUnknownUser') {
    return (
      <div className={styles.page}>
        <h1 className="pn-hidden">{text.gone}</h1>
        <NotFound title={text.gone} action={<Link to={paths.scores()}>{text.toScores}</Link>}>
          {text.goneText}
        </NotFound>
      </div>
    )
  }
  return (
    <div className={styles.page}>
      <h1 className="pn-hidden">{text.title}</h1>
      {error instanceof RequestFailure ? (
        <ErrorState onRetry={onRetry} kind={error.kind} requestedAt={format.time(error.askedAt)}>
          {errorText(error)}
        </ErrorState>
      ) : (
        <>
          <HeadWaiting />
          <Body />
        </>
      )}
    </div>
  )
}
