import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useParams } from 'react-router'
import { useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { adminMessagesMessages } from '../../text/en/admin-messages.ts'
import { useMessages } from '../../text/messages.ts'
import { OptionsSection } from './options.tsx'
import { Queue } from './queue.tsx'
import { Thread } from './thread.tsx'

/** The questions of teams: the queue, or one thread. */
export function Component() {
  const { id } = useParams()
  const text = useMessages(adminMessagesMessages)
  const perms = useOwnTeam().team?.perms ?? 0
  if (id !== undefined) return <Thread key={id} id={id} />
  return (
    <OrganiserPage title={text.title}>
      <Queue />
      {hasPermissions(perms, ['usersWrite']) && <OptionsSection />}
    </OrganiserPage>
  )
}
