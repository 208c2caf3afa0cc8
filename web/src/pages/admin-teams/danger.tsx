import { eraseTeam } from '@pennant/contract/personal-data.ts'
import { createTeamToken, deleteTeam, signOutTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useMessages } from '../../text/messages.ts'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Secret } from '../../ui/buttons/secret.tsx'
import { AskButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'
import { useListAction } from '../../organisers/use-list-action.ts'

interface PartProps {
  readonly team: TeamDetail
}

/** Creates a sign-in token for the team, shown once and not stored; and signs the team out everywhere. */
export function TokenPart({ team }: PartProps) {
  const text = useMessages(adminTeamsMessages)
  const action = useListAction(teamsKey)
  const signedOut = useSuccess(text.signedOut)
  const [token, setToken] = useState<string | null>(null)
  const make = async () => {
    const asked = send(createTeamToken, { params: { id: team.id } })
    if (!(await action.run(asked))) return
    const response = await asked
    if (response.kind === 'goodCreateUserToken') setToken(response.data.token)
  }
  const signOut = async () => {
    if (!(await action.run(send(signOutTeam, { params: { id: team.id } })))) return
    signedOut.show()
    // A previously created token is now invalid.
    setToken(null)
  }
  return (
    <Section title={text.token} level={3}>
      {token !== null && <Secret value={token} label={text.tokenLabel} />}
      <div className="pn-row pn-gap-3">
        {token === null && (
          <AskButton
            title={text.tokenTitle(team.name)}
            about={<p>{text.tokenAbout}</p>}
            action={text.createToken}
            busy={action.isPending}
            word={team.name}
            onConfirm={make}
          />
        )}
        <AskButton
          title={text.signOutTitle(team.name)}
          about={<p>{text.signOutAbout}</p>}
          action={text.signOut}
          busy={action.isPending}
          success={signedOut}
          onConfirm={signOut}
        />
      </div>
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}

interface DangerPartProps extends PartProps {
  readonly onGone: () => void
}

export function DangerPart({ team, onGone }: DangerPartProps) {
  const text = useMessages(adminTeamsMessages)
  const action = useListAction(teamsKey)
  const params = { id: team.id }
  const turn = async () => {
    await action.run(send(updateTeam, { params, body: { data: { banned: !team.banned } } }))
  }
  const turnAbout = team.banned ? text.unbanMany : text.banMany
  const remove = async () => {
    if (await action.run(send(deleteTeam, { params }), text.deletedNamed(team.name))) onGone()
  }
  const erase = async () => {
    if (await action.run(send(eraseTeam, { params }), text.erased)) onGone()
  }
  return (
    <Section title={text.danger} level={3}>
      <div className="pn-row pn-gap-3">
        {team.banned && <span>{text.banned}</span>}
        <AskButton
          tone={team.banned ? 'plain' : 'danger'}
          title={team.banned ? text.unbanTitle(1) : text.banTitle(1)}
          about={<p>{turnAbout(1, team.solves.length)}</p>}
          action={team.banned ? text.unban : text.ban}
          busy={action.isPending}
          onConfirm={turn}
        />
        <AskButton
          tone="danger"
          icon="trash"
          title={text.deleteTitle(team.name)}
          about={<p>{text.deleteAbout(team.solves.length)}</p>}
          action={text.delete}
          busy={action.isPending}
          word={team.name}
          onConfirm={remove}
        />
        <AskButton
          tone="danger"
          title={text.eraseTitle(team.name)}
          about={<p>{text.eraseAbout}</p>}
          action={text.erase}
          busy={action.isPending}
          word={team.name}
          onConfirm={erase}
        />
      </div>
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}
