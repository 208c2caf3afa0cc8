import { moveTeam, trackLimits } from '@pennant/contract/tracks.ts'
import { useState, type FormEvent } from 'react'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useListAction } from '../../organisers/use-list-action.ts'
import { adminTracksMessages } from '../../text/en/admin-tracks.ts'
import { useMessages } from '../../text/messages.ts'
import { declarationBody, type Declaration } from '../../account/tracks/declaration.ts'
import { TrackFields } from '../../account/tracks/track-fields.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'
import styles from './teams.module.css'

/** Moves the team to any track, with a reason for the action log. */
export function TrackPart({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTracksMessages)
  const tracks = useConfig()?.tracks?.list ?? []
  const action = useListAction(teamsKey)
  const moved = useSuccess(text.moved)
  const [reason, setReason] = useState('')
  const [value, setValue] = useState<Declaration>({
    track: team.track ?? '',
    operator: team.agent?.operator ?? '',
    model: team.agent?.model ?? '',
  })
  const chosen = tracks.find(({ id }) => id === value.track)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!chosen || reason.trim() === '' || action.isPending) return
    const data = { ...declarationBody(value, chosen), reason }
    if (!(await action.run(send(moveTeam, { params: { id: team.id }, body: { data } })))) return
    moved.show()
    setReason('')
  }
  return (
    <Section title={text.track} level={3}>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <TrackFields value={value} onChange={setValue} choices={tracks.map(({ id }) => id)} />
        <TextInput
          label={text.reason}
          help={text.reasonHelp}
          value={reason}
          onChange={setReason}
          maxLength={trackLimits.reason}
        />
        {action.failure && <p role="alert">{action.failure}</p>}
        <Button
          type="submit"
          busy={action.isPending}
          success={moved}
          disabledBecause={reason.trim() === '' ? text.needsReason : undefined}
        >
          {text.move}
        </Button>
      </form>
    </Section>
  )
}
