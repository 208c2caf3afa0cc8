import { deletePerson, signOutPerson, updatePerson } from '@pennant/contract/people.ts'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { send } from '../api/client.ts'
import { useConfig } from '../api/use-contest.ts'
import { peopleMessages } from '../text/en/people.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Switch } from '../ui/fields/choices.tsx'
import { TextInput } from '../ui/fields/inputs.tsx'
import { AskButton, ConfirmButton } from '../ui/layers/confirm.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { adminPeopleKey, type AdminPerson } from './people.ts'
import { useListAction } from './use-list-action.ts'

// Few events ask for more than names and addresses.
const EditAnswers = lazy(async () => ({ default: (await import('./edit-answers.tsx')).EditAnswers }))

interface PersonDialogProps {
  readonly person: AdminPerson
  readonly onClose: () => void
}

/** What organisers may change of a person. Sends only changed fields. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const text = useMessages(peopleMessages)
  const action = useListAction(adminPeopleKey)
  const asks = useConfig()?.fields === true
  const before = { name: person.name, teamId: person.teamId ?? '', isCaptain: person.isCaptain }
  const [values, setValues] = useState(before)
  const params = { id: person.id }
  const teamId = values.teamId.trim()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const data = {
      ...(values.name !== before.name && { name: values.name }),
      ...(teamId !== before.teamId && { teamId: teamId === '' ? null : teamId }),
      ...(values.isCaptain !== before.isCaptain && { isCaptain: values.isCaptain }),
    }
    const isEmpty = Object.keys(data).length === 0
    if (
      isEmpty ||
      (await action.run(send(updatePerson, { params, body: { data } }), text.saved(values.name)))
    )
      onClose()
  }
  return (
    <Dialog open onClose={onClose} title={<bdi>{person.name}</bdi>} size="medium">
      <form className="pn-grid pn-gap-4" onSubmit={(event) => void save(event)}>
        <TextInput
          label={text.name}
          value={values.name}
          onChange={(name) => setValues((now) => ({ ...now, name }))}
          maxLength={64}
          required
        />
        <TextInput
          mono
          label={text.teamId}
          help={text.teamIdHelp}
          value={values.teamId}
          onChange={(id) =>
            setValues((now) => ({ ...now, teamId: id, isCaptain: now.isCaptain && id !== '' }))
          }
          maxLength={255}
        />
        {teamId !== '' && (
          <Switch
            kind="checkbox"
            label={text.isCaptain}
            checked={values.isCaptain}
            onChange={(isCaptain) => setValues((now) => ({ ...now, isCaptain }))}
          />
        )}
        {action.failure && <p role="alert">{action.failure}</p>}
        <div className="pn-row pn-gap-3">
          <Button type="submit" tone="primary" busy={action.isPending}>
            {text.save}
          </Button>
          <OtherActions person={person} action={action} onClose={onClose} />
        </div>
      </form>
      {asks && (
        <Suspense>
          <EditAnswers of="person" id={person.id} />
        </Suspense>
      )}
    </Dialog>
  )
}

interface OtherActionsProps extends PersonDialogProps {
  readonly action: ReturnType<typeof useListAction>
}

function OtherActions({ person, action, onClose }: OtherActionsProps) {
  const text = useMessages(peopleMessages)
  const params = { id: person.id }
  const endSessions = () => void action.run(send(signOutPerson, { params }), text.sessionsEnded(person.name))
  const remove = async () => {
    const isGone = await action.run(send(deletePerson, { params }), text.deleted(person.name))
    if (isGone) onClose()
    return isGone
  }
  return (
    <>
      <ConfirmButton busy={action.isPending} onConfirm={endSessions}>
        {text.endSessions}
      </ConfirmButton>
      <AskButton
        tone="danger"
        title={text.deleteTitle(person.name)}
        about={<p>{text.deleteAbout}</p>}
        action={text.delete}
        busy={action.isPending}
        onConfirm={remove}
      />
    </>
  )
}
