import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { accountMessages } from '../../text/en/account.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Outcome, SaveButton } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'
import { useMembers } from './use-members.ts'
import { useUnsaved } from './unsaved.ts'

/** The members of the team, by email address. */
export function MembersSection() {
  const text = useMessages(settingsMessages)
  const account = useMessages(accountMessages)
  const change = useChange()
  const added = useSuccess(text.memberAdded)
  const members = useMembers(change, () => announce(text.memberRemoved))
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' ? account.missing : undefined }),
    submit: async ({ email }) => {
      if (await members.add(email.trim(), added.show)) form.adopt({ email: '' }, { email })
    },
  })
  const isDirty = form.values.email !== ''
  useUnsaved('members', isDirty)
  return (
    <Panel title={text.members}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <MemberList members={members} />
        <TextInput {...form.field('email')} type="email" label={text.memberEmail} autoComplete="off" />
        <Outcome change={change} />
        <div className={styles.actions}>
          <SaveButton change={change} isDirty={isDirty} success={added} label={text.addMember} />
        </div>
      </form>
    </Panel>
  )
}

function MemberList({ members }: { readonly members: ReturnType<typeof useMembers> }) {
  const text = useMessages(settingsMessages)
  const { data } = members.query
  const failure = useFailure(members.query)
  if (!data) {
    return (
      <LoadState failure={failure}>
        <Skeleton rows={2} height="var(--pn-row)" />
      </LoadState>
    )
  }
  if (data.length === 0) return <EmptyState isPart>{text.noMembers}</EmptyState>
  return (
    <ul className={styles.members}>
      {data.map(({ id, email }) => {
        const isGoing = members.going.includes(id)
        return (
          <li key={id}>
            <bdi className={isGoing ? styles.going : undefined}>{email}</bdi>
            {isGoing ? (
              <Button onClick={() => members.undo(id)} aria-label={text.undoOf(email)}>
                {text.undo}
              </Button>
            ) : (
              <Button onClick={() => members.remove(id)} aria-label={text.removeOf(email)}>
                {text.remove}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
