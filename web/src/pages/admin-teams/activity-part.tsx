import { readActivityOf } from '@pennant/contract/people.ts'
import { useQuery } from '@tanstack/react-query'
import { ActivityList } from '../../account/activity.tsx'
import { requestData } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { refresh } from '../../state/live.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import { EVERY_MS, teamsKey } from './queries.ts'

/** What the people of the team did. */
export function ActivityPart({ teamId }: { readonly teamId: string }) {
  const { activity } = useMessages(peopleMessages)
  const hasPeople = useConfig()?.people !== undefined
  const query = useQuery({
    queryKey: [...teamsKey, 'activity', teamId],
    queryFn: ({ signal }) => requestData(readActivityOf, { params: { id: teamId } }, { signal }),
    enabled: hasPeople,
    ...refresh(EVERY_MS),
  })
  if (!hasPeople) return null
  return (
    <Section title={activity.title} level={3}>
      {query.data ? <ActivityList actions={query.data.actions} /> : <Waiting query={query} rows={2} />}
    </Section>
  )
}
