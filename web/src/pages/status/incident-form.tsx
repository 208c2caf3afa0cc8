import { createIncident, updateIncident } from '@pennant/contract/status.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { statusMessages } from '../../text/en/status.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { announce } from '../../ui/announcer.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { statusQuery, type IncidentView } from './queries.ts'
import styles from './status.module.css'

const MAX_TITLE = 120
const MAX_TEXT = 4000
const SEVERITIES = ['notice', 'minor', 'major'] as const
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const
const COMPONENTS = [
  'site',
  'flags',
  'scoreboard',
  'stream',
  'instances',
  'adminBot',
  'mail',
  'ranking',
] as const

type Fields = Pick<IncidentView, 'title' | 'severity' | 'components' | 'state'> & { readonly text: string }

const FRESH: Fields = { title: '', severity: 'minor', components: [], state: 'investigating', text: '' }

export function NewIncident() {
  const text = useMessages(statusMessages)
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <div className={styles.actions}>
        <Button onClick={() => setOpen(true)}>{text.post}</Button>
      </div>
    )
  return (
    <Panel title={text.post}>
      <IncidentForm
        initial={FRESH}
        publish={(body) => send(createIncident, { body })}
        onClose={() => setOpen(false)}
      />
    </Panel>
  )
}

interface AddUpdateProps {
  readonly incident: IncidentView
  readonly onClose: () => void
}

export function AddUpdate({ incident, onClose }: AddUpdateProps) {
  const { id, title, severity, components, state } = incident
  return (
    <IncidentForm
      initial={{ title, severity, components, state, text: '' }}
      publish={(body) => send(updateIncident, { params: { id }, body })}
      onClose={onClose}
    />
  )
}

interface FormProps {
  readonly initial: Fields
  readonly publish: (body: Fields) => Promise<{ kind: string; message: string }>
  readonly onClose: () => void
}

function IncidentForm({ initial, publish, onClose }: FormProps) {
  const text = useMessages(statusMessages)
  const failureMessage = useFailureMessage()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const required = (value: string) => (value.trim() === '' ? text.missing : undefined)
  const form = useForm<Fields>({
    initial,
    validate: (values) => ({ title: required(values.title), text: required(values.text) }),
    async submit(values) {
      const problem = await failureMessage(publish(values))
      setFailure(problem ?? undefined)
      await queries.invalidateQueries({ queryKey: statusQuery.queryKey })
      if (problem !== null) return
      announce(text.published)
      onClose()
    },
  })
  const { components } = form.values
  return (
    <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.errors} />
      <TextInput
        {...form.field('title')}
        label={text.name}
        required
        maxLength={MAX_TITLE}
        autoComplete="off"
      />
      <div className={styles.pair}>
        <Select
          {...form.field('severity')}
          label={text.severityLabel}
          choices={SEVERITIES.map((value) => ({ value, label: text.severity[value] }))}
          onChange={(value) => form.set({ severity: SEVERITIES.find((one) => one === value) ?? 'minor' })}
        />
        <Select
          {...form.field('state')}
          label={text.stateLabel}
          choices={STATES.map((value) => ({ value, label: text.incidentState[value] }))}
          onChange={(value) => form.set({ state: STATES.find((one) => one === value) ?? 'investigating' })}
        />
      </div>
      <Affected components={components} onChange={(next) => form.set({ components: next })} />
      <Textarea
        {...form.field('text')}
        label={text.text}
        help={text.textHelp}
        required
        maxLength={MAX_TEXT}
        rows={4}
      />
      <FailureLine>{failure}</FailureLine>
      <div className={styles.actions}>
        <Button tone="primary" type="submit" busy={form.isSubmitting}>
          {text.publish}
        </Button>
        <Button onClick={onClose}>{text.cancel}</Button>
      </div>
      <LeaveGuard isDirty={form.isDirty} />
    </form>
  )
}

interface AffectedProps {
  readonly components: Fields['components']
  readonly onChange: (components: Fields['components']) => void
}

function Affected({ components, onChange }: AffectedProps) {
  const text = useMessages(statusMessages)
  return (
    <fieldset className={styles.affected}>
      <legend>{text.affected}</legend>
      {COMPONENTS.map((name) => (
        <Switch
          key={name}
          kind="checkbox"
          label={text.component[name]}
          checked={components.includes(name)}
          onChange={(isAffected) =>
            onChange(COMPONENTS.filter((one) => (one === name ? isAffected : components.includes(one))))
          }
        />
      ))}
    </fieldset>
  )
}
