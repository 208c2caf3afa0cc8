import { createTeamToken, deleteTeam, signOutTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Secret } from '../../ui/buttons/secret.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import type { TeamDetail } from './queries.ts'
import { useTeamAction } from './use-team-action.ts'

interface PartProps {
  readonly team: TeamDetail
}

/** Creates a sign-in token for the team, shown once and not stored; and signs the team out everywhere. */
export function TokenPart({ team }: PartProps) {
  const text = useMessages(adminTeamsMessages)
  const action = useTeamAction()
  const signedOut = useSuccess(text.signedOut)
  const [isAsking, setAsking] = useState(false)
  const [isSigningOut, setSigningOut] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const make = async () => {
    const asked = send(createTeamToken, { params: { id: team.id } })
    const isDone = await action.run(asked)
    setAsking(false)
    if (!isDone) return
    const response = await asked
    if (response.kind === 'goodCreateUserToken') setToken(response.data.token)
  }
  const signOut = async () => {
    const isDone = await action.run(send(signOutTeam, { params: { id: team.id } }))
    setSigningOut(false)
    if (!isDone) return
    signedOut.show()
    // A previously created token is now invalid.
    setToken(null)
  }
  return (
    <Section title={text.token} level={3}>
      {token !== null && <Secret value={token} label={text.tokenLabel} />}
      <div className="pn-row pn-gap-3">
        {token === null && <Button onClick={() => setAsking(true)}>{text.createToken}</Button>}
        <Button success={signedOut} onClick={() => setSigningOut(true)}>
          {text.signOut}
        </Button>
      </div>
      {action.failure && <p role="alert">{action.failure}</p>}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void make()}
        title={text.tokenTitle(team.name)}
        action={text.createToken}
        busy={action.isPending}
        word={team.name}
      >
        <p>{text.tokenAbout}</p>
      </Confirm>
      <Confirm
        open={isSigningOut}
        onClose={() => setSigningOut(false)}
        onConfirm={() => void signOut()}
        title={text.signOutTitle(team.name)}
        action={text.signOut}
        busy={action.isPending}
      >
        <p>{text.signOutAbout}</p>
      </Confirm>
    </Section>
  )
}

interface DangerPartProps extends PartProps {
  readonly onGone: () => void
}

export function DangerPart({ team, onGone }: DangerPartProps) {
  const text = useMessages(adminTeamsMessages)
  const action = useTeamAction()
  const [isAsking, setAsking] = useState(false)
  const [isTurning, setTurning] = useState(false)
  const params = { id: team.id }
  const turn = async () => {
    await action.run(send(updateTeam, { params, body: { data: { banned: !team.banned } } }))
    setTurning(false)
  }
  const turnWord = team.banned ? text.unban : text.ban
  const turnAbout = team.banned ? text.unbanMany : text.banMany
  const remove = async () => {
    const isDone = await action.run(send(deleteTeam, { params }), text.deletedNamed(team.name))
    // Returning to the list also closes this dialog.
    if (isDone) onGone()
    else setAsking(false)
  }
  return (
    <Section title={text.danger} level={3}>
      <div className="pn-row pn-gap-3">
        {team.banned && <span>{text.banned}</span>}
        <Button
          tone={team.banned ? 'plain' : 'danger'}
          busy={action.isPending}
          onClick={() => setTurning(true)}
        >
          {turnWord}
        </Button>
        <Button tone="danger" icon="trash" onClick={() => setAsking(true)}>
          {text.delete}
        </Button>
      </div>
      {action.failure && <p role="alert">{action.failure}</p>}
      <Confirm
        open={isTurning}
        onClose={() => setTurning(false)}
        onConfirm={() => void turn()}
        title={team.banned ? text.unbanTitle(1) : text.banTitle(1)}
        action={turnWord}
        busy={action.isPending}
      >
        <p>{turnAbout(1, team.solves.length)}</p>
      </Confirm>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title={text.deleteTitle(team.name)}
        action={text.delete}
        busy={action.isPending}
        word={team.name}
      >
        <p>{text.deleteAbout(team.solves.length)}</p>
      </Confirm>
    </Section>
  )
}
