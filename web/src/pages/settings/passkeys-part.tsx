import { removePasskey, renamePasskey } from '@pennant/contract/passkeys.ts'
import { useState } from 'react'
import { canUsePasskeys, makePasskey } from '../../account/passkey.ts'
import { send } from '../../api/client.ts'
import { useTimed } from '../../state/clock.ts'
import { personPasskeyMessages } from '../../text/en/person-passkeys.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { browserName } from '../../account/browser-name.ts'
import { Outcome } from './outcome.tsx'
import type { Ways } from './person-queries.ts'
import styles from './settings.module.css'
import { useChange, type Change } from './use-change.ts'

type Passkey = Ways['passkeys'][number]

interface PasskeysProps {
  readonly passkeys: readonly Passkey[]
  readonly onChanged: () => void
}

/** The passkeys of the person, and a form for another one. */
export function PasskeysPart({ passkeys, onChanged }: PasskeysProps) {
  const text = useMessages(personPasskeyMessages)
  const change = useChange(text.failures)
  return (
    <Section title={text.title} level={3}>
      <div className={styles.form}>
        <p>{text.about}</p>
        {passkeys.length === 0 ? (
          <p>{text.none}</p>
        ) : (
          <ul className={styles.members}>
            {passkeys.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} change={change} onChanged={onChanged} />
            ))}
          </ul>
        )}
        {canUsePasskeys() ? <AddForm change={change} onChanged={onChanged} /> : <p>{text.unsupported}</p>}
        <Outcome change={change} />
      </div>
    </Section>
  )
}

interface ItemProps {
  readonly passkey: Passkey
  readonly change: Change
  readonly onChanged: () => void
}

/** The times are minutes at best. */
const MINUTE_MS = 60_000

function PasskeyItem({ passkey, change, onChanged }: ItemProps) {
  const text = useMessages(personPasskeyMessages)
  const format = useFormat()
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const [isEditing, setEditing] = useState(false)
  const { id, name, createdAt, lastUsedAt } = passkey
  const ago = (at: number) => format.relative(Math.min(at, now), now)
  const remove = () =>
    change.run(
      () => send(removePasskey, { params: { id } }),
      () => {
        announce(text.removed)
        onChanged()
      },
    )
  if (isEditing) {
    return (
      <li>
        <NameForm
          initial={name}
          label={text.saveName}
          isBusy={change.isPending}
          submit={async (wanted) => {
            const request = () => send(renamePasskey, { params: { id }, body: { name: wanted } })
            if (!(await change.run(request, () => announce(text.renamed)))) return
            setEditing(false)
            onChanged()
          }}
        />
      </li>
    )
  }
  return (
    <li>
      <div>
        <bdi>{name}</bdi>
        <div className={styles.small}>
          {[
            text.addedAgo(ago(createdAt)),
            lastUsedAt === null ? text.neverUsed : text.usedAgo(ago(lastUsedAt)),
          ].join(' · ')}
        </div>
      </div>
      <div className={styles.actions}>
        <Button aria-label={text.renameOf(name)} onClick={() => setEditing(true)}>
          {text.rename}
        </Button>
        <ConfirmButton onConfirm={() => void remove()}>
          {text.remove} <span className="pn-hidden">{name}</span>
        </ConfirmButton>
      </div>
    </li>
  )
}

function AddForm({ change, onChanged }: Omit<ItemProps, 'passkey'>) {
  const text = useMessages(personPasskeyMessages)
  return (
    <NameForm
      initial={browserName(navigator.userAgent) ?? ''}
      label={text.add}
      isBusy={change.isPending}
      submit={async (name) => {
        await change.run(
          () => makePasskey(name),
          () => {
            announce(text.added)
            onChanged()
          },
        )
      }}
    />
  )
}

interface NameFormProps {
  readonly initial: string
  readonly label: string
  readonly isBusy: boolean
  readonly submit: (name: string) => Promise<void>
}

const MAX_NAME = 64

function NameForm({ initial, label, isBusy, submit }: NameFormProps) {
  const text = useMessages(personPasskeyMessages)
  const form = useForm({
    initial: { name: initial },
    validate: ({ name }) => {
      const { length } = name.trim()
      return { name: length === 0 || length > MAX_NAME ? text.badName : undefined }
    },
    submit: ({ name }) => submit(name.trim()),
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <TextInput {...form.field('name')} label={text.name} help={text.nameHelp} autoComplete="off" />
      <div className={styles.actions}>
        <Button type="submit" busy={isBusy}>
          {label}
        </Button>
      </div>
    </form>
  )
}
