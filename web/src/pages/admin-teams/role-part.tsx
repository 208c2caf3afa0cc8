import { setOrganiser } from '@pennant/contract/admin-organisers.ts'
import {
  ALL_PERMISSIONS,
  allPermissions,
  permissions,
  roleOf,
  roles,
  type Role,
} from '@pennant/contract/permissions.ts'
import { useState } from 'react'
import { signInLink } from '../../account/linked-token.ts'
import { send } from '../../api/client.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Secret } from '../../ui/buttons/secret.tsx'
import { Radio } from '../../ui/fields/choices.tsx'
import { AskButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'
import { useListAction } from '../../organisers/use-list-action.ts'

type Choice = Role | 'none' | 'custom'

function choiceOf(perms: number): Choice {
  return perms === 0 ? 'none' : (roleOf(perms) ?? 'custom')
}

/**
 * What the team may do as an organiser. For owners. A change signs the team out, so its new sign-in link is shown, once.
 */
export function RolePart({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTeamsMessages)
  const own = useOwnTeam().team
  const action = useListAction(teamsKey)
  const [chosen, setChosen] = useState<Choice>(choiceOf(team.perms))
  const [link, setLink] = useState<string | null>(null)
  const choices = useChoices(team.perms)
  if (own?.perms !== ALL_PERMISSIONS) return null
  // An owner who removes their own permissions would lose this page.
  if (own.id === team.id)
    return (
      <Section title={text.role} level={3}>
        {text.ownRole}
      </Section>
    )
  const perms = chosen === 'custom' ? team.perms : chosen === 'none' ? 0 : roles[chosen]
  const save = async () => {
    const asked = send(setOrganiser, { params: { id: team.id }, body: { data: { perms } } })
    if (!(await action.run(asked, text.roleSaved(team.name)))) return
    const response = await asked
    const token = response.kind === 'goodOrganiserUpdate' ? response.data.token : null
    setLink(token === null ? null : signInLink(token))
  }
  return (
    <Section title={text.role} level={3}>
      <Radio
        label={text.roleOf(team.name)}
        value={chosen}
        onChange={(value) => setChosen(value as Choice)}
        choices={choices}
      />
      {perms !== team.perms && (
        <AskButton
          title={text.roleTitle(team.name)}
          about={<p>{text.roleAbout}</p>}
          action={text.saveRole}
          busy={action.isPending}
          onConfirm={save}
        />
      )}
      {link !== null && <Secret value={link} label={text.signInLink} />}
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}

/** No role, the roles, and the current permissions if they are none of these. */
function useChoices(current: number) {
  const text = useMessages(adminTeamsMessages)
  const { right } = useMessages(frameMessages)
  const rightsOf = (perms: number) =>
    allPermissions
      .filter((name) => (perms & permissions[name]) !== 0)
      .map((name) => right[name])
      .join(', ')
  const presets = (Object.keys(roles) as Role[]).map((role) => ({
    value: role,
    label: text.roles[role],
    help: role === 'owner' ? text.ownerHelp : rightsOf(roles[role]),
  }))
  const custom = { value: 'custom', label: text.roles.custom, help: rightsOf(current) }
  return [
    { value: 'none', label: text.roles.none },
    ...presets,
    ...(choiceOf(current) === 'custom' ? [custom] : []),
  ]
}
