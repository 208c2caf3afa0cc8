import { createTeamToken, deleteTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import type { TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useDeed } from './use-deed.ts'
import { words } from './words.ts'

interface PartProps {
  readonly team: TeamDetail
}

/** A token that signs in as the team: shown once, kept nowhere. */
export function TokenPart({ team }: PartProps) {
  const text = useText(words)
  const deed = useDeed()
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const make = async () => {
    const asked = send(createTeamToken, { params: { id: team.id } })
    const isDone = await deed.run(asked)
    setAsking(false)
    if (!isDone) return
    const answer = await asked
    if (answer.kind === 'goodCreateUserToken') setToken(answer.data.token)
  }
  return (
    <Section title={text.token} level={3}>
      {token === null ? (
        <Button onClick={() => setAsking(true)}>{text.makeToken}</Button>
      ) : (
        <Secret value={token} label={text.tokenLabel} />
      )}
      {deed.failure && <p role="alert">{deed.failure}</p>}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void make()}
        title={text.tokenTitle(team.name)}
        deed={text.makeToken}
        busy={deed.busy}
        word={team.name}
      >
        <p>{text.tokenAbout}</p>
      </Confirm>
    </Section>
  )
}

interface DangerPartProps extends PartProps {
  readonly onGone: () => void
}

export function DangerPart({ team, onGone }: DangerPartProps) {
  const text = useText(words)
  const deed = useDeed()
  const [isAsking, setAsking] = useState(false)
  const [isTurning, setTurning] = useState(false)
  const params = { id: team.id }
  const turn = async () => {
    await deed.run(send(updateTeam, { params, body: { data: { banned: !team.banned } } }))
    setTurning(false)
  }
  const turnWord = team.banned ? text.unban : text.ban
  const turnAbout = team.banned ? text.unbanMany : text.banMany
  const remove = async () => {
    const isDone = await deed.run(send(deleteTeam, { params }), text.deleted(team.name))
    // The way back to the list closes this question too.
    if (isDone) onGone()
    else setAsking(false)
  }
  return (
    <Section title={text.danger} level={3}>
      <div className={styles.line}>
        {team.banned && <span>{text.banned}</span>}
        <Button tone={team.banned ? 'plain' : 'danger'} busy={deed.busy} onClick={() => setTurning(true)}>
          {turnWord}
        </Button>
        <Button tone="danger" icon="trash" onClick={() => setAsking(true)}>
          {text.delete}
        </Button>
      </div>
      {deed.failure && <p role="alert">{deed.failure}</p>}
      <Confirm
        open={isTurning}
        onClose={() => setTurning(false)}
        onConfirm={() => void turn()}
        title={team.banned ? text.unbanTitle(1) : text.banTitle(1)}
        deed={turnWord}
        busy={deed.busy}
      >
        <p>{turnAbout(1, team.solves.length)}</p>
      </Confirm>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title={text.deleteTitle(team.name)}
        deed={text.delete}
        busy={deed.busy}
        word={team.name}
      >
        <p>{text.deleteAbout(team.solves.length)}</p>
      </Confirm>
    </Section>
  )
}
