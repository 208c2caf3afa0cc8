import { readExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { ask } from '../../api/client.ts'
import { kindOf, RequestFailure } from '../../api/failure.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { SignInFirst } from '../../layout/sign-in-first.tsx'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ConsentForm } from './consent-form.tsx'
import { words } from './words.ts'

/** Another site wants a team signed in. It is told nothing, and nobody is sent to it, before the team agrees. */
export function Component() {
  const { isSignedIn, team } = useOwnTeam()
  const [search] = useSearchParams()
  const id = search.get('client_id') ?? ''
  if (!isSignedIn) return <SignInFirst />
  if (id === '') return <Refused />
  return <Request key={id} id={id} team={team} />
}

type Team = ReturnType<typeof useOwnTeam>['team']

function Request({ id, team }: { readonly id: string; readonly team: Team }) {
  const text = useText(words)
  const errorText = useErrorText()
  const format = useFormat()
  const [search] = useSearchParams()
  const query = useQuery({
    queryKey: ['external-auth', id],
    queryFn: ({ signal }) => ask(readExternalAuthClient, { params: { id } }, { signal }),
    ...refresh(null),
  })
  const { data } = query
  const { failure, retry } = useTrouble(query)
  if (kindOf(failure) === 'badExternalAuthRequest') return <Refused />
  // Byte for byte, as the server compares it: the address is the client's, not the link's.
  if (data && data.redirectUri !== search.get('redirect_uri')) return <Refused />
  if (data && team) return <ConsentForm client={data} team={team} state={search.get('state')} />
  return (
    <AccountPage title={text.waitingTitle}>
      {failure instanceof RequestFailure ? (
        <ErrorState onRetry={retry} kind={failure.kind} requestedAt={format.time(failure.askedAt)}>
          {errorText(failure)}
        </ErrorState>
      ) : (
        <Skeleton rows={4} />
      )}
    </AccountPage>
  )
}

function Refused() {
  const text = useText(words)
  const errorText = useErrorText()
  return (
    <AccountPage title={text.refusedTitle}>
      <EmptyState action={<Link to={paths.home()}>{text.home}</Link>}>
        {errorText({ kind: 'badExternalAuthRequest', message: '' })}
      </EmptyState>
    </AccountPage>
  )
}
