import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { useConfig, useMay, usePhase } from '../../../api/use-contest.ts'
import { readStored, writeStored } from '../../../state/storage.ts'
import { setupMessages } from '../../../text/en/setup.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { setChallengesQuery } from '../queries.ts'
import styles from './setup.module.css'
import { doneSteps, STEPS, type Step, freeChallengeId, UNNAMED } from './steps.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { Link } from 'react-router'
import { send, requestData } from '../../../api/client.ts'
import { OWN_KEY, configQuery } from '../../../api/queries.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { paths } from '../../../paths.ts'
import { TextInput, Textarea } from '../../../ui/fields/inputs.tsx'
import { useForm } from '../../../ui/form.ts'
import type { AdminChallenge } from '../checks.ts'
import { readSettings, settingsLimits, updateSettings } from '@pennant/contract/admin-settings.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { serverNow } from '../../../state/clock.ts'
import { DateTime } from '../../../ui/fields/date-time.tsx'

/** In this browser: `begun` after it has shown an open step. The card of a complete server appears only then. */
const STORED = 'pennant.setup'

/** The four steps from a new server to an event that players can join. */
export function SetupCard() {
  const text = useMessages(setupMessages)
  const event = useConfig()
  const phase = usePhase()
  const maySetUp = useMay('challsRead', 'challsWrite', 'settingsWrite')
  const { data: challenges } = useQuery({ ...setChallengesQuery, enabled: maySetUp })
  const [stored, setStored] = useState(() => readStored(STORED))
  const done = event && challenges ? doneSteps({ event, challenges }) : null
  const isComplete = done?.size === STEPS.length
  const isOpen = maySetUp && phase === 'before' && done !== null && !isComplete
  useEffect(() => {
    if (!isOpen) return
    writeStored(STORED, 'begun')
    setStored('begun')
  }, [isOpen])
  if (!event || !challenges || !done || !maySetUp || phase !== 'before') return null
  if (isComplete && stored !== 'begun') return null
  const dismiss = () => {
    writeStored(STORED, null)
    setStored(null)
  }
  const current = STEPS.find((step) => !done.has(step))
  const forms = {
    about: <AboutForm event={event} />,
    times: <TimesForm />,
    challenge: <ChallengeForm challenges={challenges} />,
    registration: <p>{text.registrationClosed}</p>,
  }
  return (
    <Panel
      title={text.title}
      actions={isComplete && <Button onClick={dismiss}>{text.dismiss}</Button>}
      className={styles.card}
    >
      <p className={styles.lead}>{isComplete ? text.complete : text.lead(done.size, STEPS.length)}</p>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <li key={step} className={cx(done.has(step) && styles.done)}>
            {done.has(step) ? (
              <Head step={step} isDone />
            ) : (
              <details open={step === current}>
                <summary>
                  <Head step={step} />
                </summary>
                {forms[step]}
              </details>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Head({ step, isDone = false }: { readonly step: Step; readonly isDone?: boolean }) {
  const text = useMessages(setupMessages)
  return (
    <span className={styles.head}>
      <span className={styles.mark}>{isDone ? <Icon name="check" /> : STEPS.indexOf(step) + 1}</span>
      <b>{text.steps[step]}</b>
      {isDone && <span className="pn-muted pn-small">{text.done}</span>}
    </span>
  )
}

const MAX_NAME = 100

/** Creates a visible challenge from a name, a category and a flag. Everything else is set in the editor. */
function ChallengeForm({ challenges }: { readonly challenges: readonly AdminChallenge[] }) {
  const text = useMessages(setupMessages)
  const client = useQueryClient()
  const failureOf = useFailureMessage()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    initial: { name: '', category: '', flag: '' },
    validate: ({ name, category, flag }) => ({
      name: name.trim() === '' ? text.required : undefined,
      category: category.trim() === '' ? text.required : undefined,
      flag: flag.trim() === '' ? text.required : undefined,
    }),
    async submit({ name, category, flag }) {
      const id = freeChallengeId(category, name, new Set(challenges.map((challenge) => challenge.id)))
      const flags = [{ provider: 'flags/static', config: { flag: flag.trim() } }]
      const data = { name: name.trim(), category: category.trim(), flags, hidden: false }
      const reason = await failureOf(send(putChallengeV2, { params: { id }, body: { data } }))
      setFailure(reason)
      if (reason === null) await client.invalidateQueries({ queryKey: [OWN_KEY] })
    },
  })
  return (
    <form className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <div className={styles.fields}>
        <TextInput required label={text.challengeName} maxLength={MAX_NAME} {...form.field('name')} />
        <TextInput required label={text.category} maxLength={MAX_NAME} {...form.field('category')} />
        <TextInput required mono label={text.flag} maxLength={MAX_NAME} {...form.field('flag')} />
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      <div className="pn-row pn-gap-3">
        <Button type="submit" tone="primary" busy={form.isSubmitting}>
          {text.publish}
        </Button>
        <Link to={paths.newChallenge()}>{text.inEditor}</Link>
      </div>
    </form>
  )
}

interface EventProps {
  readonly event: { readonly ctfName: string; readonly meta: { readonly description: string } }
}

/** Name and description of the event. */
function AboutForm({ event }: EventProps) {
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
function TimesForm() {
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
