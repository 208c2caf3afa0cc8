import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { PeopleList } from '../../organisers/people-list.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'

/** People of the team, and whether its own token signs in. */
export function PeoplePart({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(peopleMessages)
  const action = useListAction(teamsKey)
  if (!useConfig()?.people) return null
  const isOff = team.tokenOff === true
  const set = () =>
    void action.run(
      send(updateTeam, { params: { id: team.id }, body: { data: { tokenOff: !isOff } } }),
      isOff ? text.tokenIsOn : text.tokenIsOff,
    )
  return (
    <Section title={text.people} level={3}>
      <PeopleList teamId={team.id} />
      {team.perms === 0 && (
        <ConfirmButton tone="plain" busy={action.isPending} onConfirm={set}>
          {isOff ? text.switchOn : text.switchOff}
        </ConfirmButton>
      )}
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}
