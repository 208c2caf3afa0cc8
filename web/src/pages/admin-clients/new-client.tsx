import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { adminClientsMessages } from '../../text/en/admin-clients.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './clients.module.css'
import { clientsQuery, type Client } from './queries.ts'
import { SampleSteps } from './sample-steps.tsx'

const MAX_NAME = 100
const MAX_ADDRESS = 1024
const ADDRESS = /^https?:\/\/[^\s\\]+$/i

type Made = Client & { readonly secret: string }

interface Values {
  readonly name: string
  readonly redirectUri: string
  readonly kind: 'openid' | 'external-auth'
}

/** Creates a client and shows its secret until the user has stored it. */
export function NewClient() {
  const [made, setMade] = useState<Made | null>(null)
  if (made) return <MadeClient client={made} onDone={() => setMade(null)} />
  return <ClientForm onMade={setMade} />
}

function ClientForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const text = useMessages(adminClientsMessages)
  const [failure, setFailure] = useState<string>()
  const create = useCreate({ onMade, onFailure: setFailure })
  const form = useForm<Values>({
    initial: { name: '', redirectUri: '', kind: 'openid' },
    validate: ({ name, redirectUri }) => ({
      name: name.trim() === '' ? text.errors.missing : undefined,
      redirectUri: ADDRESS.test(redirectUri) && URL.canParse(redirectUri) ? undefined : text.errors.address,
    }),
    submit: create,
  })
  return (
    <Panel title={text.new}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <ErrorSummary errors={form.errors} />
        <TextInput
          {...form.field('name')}
          label={text.name}
          help={text.nameHelp}
          required
          maxLength={MAX_NAME}
          autoComplete="off"
        />
        <TextInput
          {...form.field('redirectUri')}
          label={text.redirectUri}
          help={text.redirectHelp}
          required
          mono
          maxLength={MAX_ADDRESS}
          autoComplete="off"
        />
        <Select
          name="kind"
          label={text.kind}
          value={form.values.kind}
          onChange={(kind) => form.set({ kind: kind === 'openid' ? kind : 'external-auth' })}
          choices={[
            { value: 'openid', label: text.kinds.openid },
            { value: 'external-auth', label: text.kinds.externalAuth },
          ]}
        />
        <FailureLine>{failure}</FailureLine>
        <div className={styles.actions}>
          <Button tone="primary" type="submit" busy={form.isSubmitting}>
            {text.create}
          </Button>
        </div>
      </form>
      <LeaveGuard isDirty={form.isDirty} />
    </Panel>
  )
}

interface CreateOptions {
  readonly onMade: (made: Made) => void
  readonly onFailure: (failure: string | undefined) => void
}

function useCreate({ onMade, onFailure }: CreateOptions) {
  const text = useMessages(adminClientsMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  return async (body: Values): Promise<FormErrors<Values> | void> => {
    onFailure(undefined)
    try {
      const response = await send(createExternalAuthClient, { body })
      if (response.kind === 'goodAdminExternalAuthClientCreate') onMade(response.data)
      else onFailure(errorText(response))
    } catch {
      onFailure(text.unconfirmed)
    }
    await queries.invalidateQueries({ queryKey: clientsQuery.queryKey })
  }
}

interface MadeClientProps {
  readonly client: Made
  readonly onDone: () => void
}

function MadeClient({ client, onDone }: MadeClientProps) {
  const text = useMessages(adminClientsMessages)
  const [isStored, setStored] = useState(false)
  return (
    <Panel title={text.createdTitle(client.name)}>
      <div className={styles.form} role="status">
        <p>{text.shownOnce}</p>
        <div className={styles.pair}>
          <span>{text.id}</span>
          <code dir="ltr">{client.id}</code>
          <CopyButton text={client.id} aria-label={text.copyOf(client.name)} />
        </div>
        <div className={styles.pair}>
          <span>{text.secret}</span>
          <Secret label={text.secret} value={client.secret} />
        </div>
      </div>
      <div className={styles.form}>
        <Switch kind="checkbox" label={text.savedCheckbox} checked={isStored} onChange={setStored} />
        <div className={styles.actions}>
          <Button tone="primary" disabledBecause={isStored ? undefined : text.saveFirst} onClick={onDone}>
            {text.done}
          </Button>
        </div>
        <h3>{text.sample}</h3>
        <SampleSteps client={client} />
      </div>
      <LeaveGuard isDirty={!isStored} />
    </Panel>
  )
}
