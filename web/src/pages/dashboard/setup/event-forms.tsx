import { readSettings, settingsLimits, updateSettings } from '@pennant/contract/admin-settings.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { requestData, send } from '../../../api/client.ts'
import { configQuery, OWN_KEY } from '../../../api/queries.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { paths } from '../../../paths.ts'
import { serverNow } from '../../../state/clock.ts'
import { setupMessages } from '../../../text/en/setup.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { DateTime } from '../../../ui/fields/date-time.tsx'
import { Textarea, TextInput } from '../../../ui/fields/inputs.tsx'
import { useForm } from '../../../ui/form.ts'
import styles from './setup.module.css'
import { UNNAMED } from './steps.ts'

interface EventProps {
  readonly event: { readonly ctfName: string; readonly meta: { readonly description: string } }
}

/** Name and description of the event. */
export function AboutForm({ event }: EventProps) {
  const text = useMessages(setupMessages)
  const { save, failure } = useSave()
  const form = useForm({
    initial: { name: event.ctfName === UNNAMED ? '' : event.ctfName, description: event.meta.description },
    validate: ({ name }) => ({ name: name.trim() === '' ? text.required : undefined }),
    async submit({ name, description }) {
      const { overrides } = await requestData(readSettings, {})
      // `meta` is replaced as a whole.
      const meta = { ...overrides.meta, description: description.trim() }
      await save({ ctfName: name.trim(), ...(description !== event.meta.description && { meta }) })
    },
  })
  return (
    <SettingsForm
      onSubmit={(submitted) => void form.submit(submitted)}
      busy={form.isSubmitting}
      failure={failure}
    >
      <TextInput required label={text.name} maxLength={settingsLimits.title} {...form.field('name')} />
      <Textarea
        label={text.description}
        rows={2}
        maxLength={settingsLimits.description}
        {...form.field('description')}
      />
    </SettingsForm>
  )
}

/** Start and end of the event. A start in the past opens the event at once, so it is left to the settings. */
export function TimesForm() {
  const text = useMessages(setupMessages)
  const { save, failure } = useSave()
  const form = useForm<{ start: number | null; end: number | null }>({
    initial: { start: null, end: null },
    validate: ({ start, end }) => ({
      start: start === null ? text.required : start <= serverNow() ? text.startInPast : undefined,
      end: end === null ? text.required : end <= (start ?? end - HOUR_MS) ? text.endBeforeStart : undefined,
    }),
    async submit({ start, end }) {
      if (start !== null && end !== null) await save({ startTime: start, endTime: end })
    },
  })
  return (
    <SettingsForm
      onSubmit={(submitted) => void form.submit(submitted)}
      busy={form.isSubmitting}
      failure={failure}
    >
      <DateTime required label={text.start} {...form.field('start')} />
      <DateTime required label={text.end} {...form.field('end')} />
    </SettingsForm>
  )
}

interface SettingsFormProps {
  readonly onSubmit: (event: FormEvent) => void
  readonly busy: boolean
  readonly failure: string | null
  readonly children: ReactNode
}

function SettingsForm({ onSubmit, busy, failure, children }: SettingsFormProps) {
  const text = useMessages(setupMessages)
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <div className={styles.fields}>{children}</div>
      {failure !== null && <p role="alert">{failure}</p>}
      <div className="pn-row pn-gap-3">
        <Button type="submit" tone="primary" busy={busy}>
          {text.save}
        </Button>
        <Link to={paths.eventSettings()}>{text.inSettings}</Link>
      </div>
    </form>
  )
}

type Patch = Parameters<typeof send<typeof updateSettings>>[1]['body']['data']

function useSave() {
  const client = useQueryClient()
  const failureOf = useFailureMessage()
  const [failure, setFailure] = useState<string | null>(null)
  const save = async (data: Patch) => {
    const reason = await failureOf(send(updateSettings, { body: { data } }))
    setFailure(reason)
    if (reason !== null) return
    await client.invalidateQueries({ queryKey: configQuery.queryKey })
    await client.invalidateQueries({ queryKey: [OWN_KEY] })
  }
  return { save, failure }
}
