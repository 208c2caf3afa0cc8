import { listOrganisers } from '@pennant/contract/admin-organisers.ts'
import { readSignInWays } from '@pennant/contract/sign-in.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { send } from '../api/client.ts'
import { OWN_KEY } from '../api/queries.ts'
import { paths } from '../paths.ts'
import { organiserPeopleMessages } from '../text/en/organiser-people.ts'
import { useMessages } from '../text/messages.ts'

/** Whether the caller has no permissions because the session has no second factor. */
async function readLack(): Promise<'person' | 'team' | null> {
  const ways = await send(readSignInWays, {})
  if (ways.kind === 'goodSignInWays') {
    const { isDemanded, isConfirmed } = ways.data.secondFactor
    return isDemanded && !isConfirmed ? 'person' : null
  }
  return (await send(listOrganisers, {})).kind === 'badSecondFactor' ? 'team' : null
}

/** What to do if a second factor is missing; nothing otherwise. */
export function MissingFactor() {
  const text = useMessages(organiserPeopleMessages)
  const { data } = useQuery({ queryKey: [OWN_KEY, 'second-factor'], queryFn: readLack, retry: false })
  if (data === 'team') return <p role="status">{text.asTeam}</p>
  if (data !== 'person') return null
  return (
    <p role="status">
      {text.needed} <Link to={`${paths.settings()}#ways`}>{text.confirm}</Link>
    </p>
  )
}
