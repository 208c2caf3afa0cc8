import { createTeam } from '@pennant/contract/admin-teams.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { signInLink } from '../../account/linked-token.ts'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { accountMessages } from '../../text/en/account.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { teamsKey } from './queries.ts'
import styles from './teams.module.css'

interface Values {
  readonly name: string
  readonly email: string
  readonly division: string
}

interface Created {
  readonly name: string
  readonly link: string
}

/** Creates a team by hand and shows its sign-in link, once. */
export function NewTeam() {
  const text = useMessages(adminTeamsMessages)
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const open = () => {
    setCreated(null)
    setOpen(true)
  }
  return (
    <>
      <Button icon="plus" onClick={open}>
        {text.create}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={created ? text.created(created.name) : text.create}
        {...(created && { actions: <Button onClick={() => setOpen(false)}>{text.done}</Button> })}
      >
        {isOpen && !created && <NewTeamForm onCreated={setCreated} />}
        {isOpen && created && (
          <div className={styles.form} role="status">
            <p>{text.createdAbout}</p>
            <Secret value={created.link} label={text.signInLink} />
          </div>
        )}
      </Dialog>
    </>
  )
}

const FIELD_OF: Readonly<Record<string, keyof Values>> = {
  badName: 'name',
  badKnownName: 'name',
  badEmail: 'email',
  badKnownEmail: 'email',
}

function NewTeamForm({ onCreated }: { readonly onCreated: (created: Created) => void }) {
  const text = useMessages(adminTeamsMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const config = useConfig()
  const divisions = Object.entries(config?.divisions ?? {})
  const [failure, setFailure] = useState<string>()
  const submit = async (data: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    try {
      const response = await send(createTeam, { body: { data } })
      if (response.kind === 'goodAdminUserCreate')
        return onCreated({ name: data.name.trim(), link: signInLink(response.data.token) })
      const field = FIELD_OF[response.kind]
      if (field) return { [field]: errorText(response) }
      setFailure(errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    } finally {
      void queries.invalidateQueries({ queryKey: teamsKey })
    }
  }
  const form = useForm<Values>({
    initial: { name: '', email: '', division: config?.defaultDivision ?? divisions[0]?.[0] ?? '' },
    validate: ({ name, email }) => ({
      name: name.trim() === '' ? account.missing : undefined,
      email: email.trim() === '' ? account.missing : undefined,
    }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <p>{text.createAbout}</p>
      <ErrorSummary errors={form.errors} />
      <TextInput
        {...form.field('name')}
        label={text.team}
        help={account.nameHelp}
        required
        maxLength={64}
        autoComplete="off"
      />
      <TextInput {...form.field('email')} type="email" label={text.email} required autoComplete="off" />
      {divisions.length > 1 && (
        <Select
          {...form.field('division')}
          label={text.division}
          choices={divisions.map(([value, label]) => ({ value, label }))}
        />
      )}
      <FailureLine>{failure}</FailureLine>
      <Button tone="primary" type="submit" busy={form.isSubmitting}>
        {text.create}
      </Button>
    </form>
  )
}
