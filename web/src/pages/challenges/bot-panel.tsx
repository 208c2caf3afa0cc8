import { readAdminBotLogs } from '@pennant/contract/admin-bot.ts'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { ask } from '../../api/client.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import type { Challenge } from './list-rules.ts'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'
import { useBot } from './use-bot.ts'

const LogViewer = lazy(async () => ({ default: (await import('../../ui/rich/log-viewer.tsx')).LogViewer }))

/** Sends the admin bot somewhere, says where it is, and shows what it wrote. */
export function BotPanel({ challenge }: { readonly challenge: Challenge }) {
  const text = useText(liveWords)
  const format = useFormat()
  const bot = useBot(challenge.id)
  const { job, jobs, problem } = bot
  return (
    <Panel title={text.bot} level={3}>
      <Inputs rules={challenge.adminBotInputs ?? {}} isSending={bot.isSending} onSubmit={bot.submit} />
      <div role="status" className={styles.said}>
        {job?.status === 'queued' && <p>{text.queued(format.number(job.queuePosition ?? 1))}</p>}
        {job?.status === 'running' && <p>{text.visiting}</p>}
        {problem !== null && <p className={styles.problem}>{problem}</p>}
      </div>
      {jobs.length > 0 && (
        <>
          <h4>{text.history}</h4>
          <ul className={styles.places}>
            {jobs.map((done) => (
              <Visit key={done.id} challengeId={challenge.id} job={done} />
            ))}
          </ul>
        </>
      )}
      {bot.gate}
    </Panel>
  )
}

interface InputsProps {
  readonly rules: NonNullable<Challenge['adminBotInputs']>
  readonly isSending: boolean
  readonly onSubmit: (inputs: Readonly<Record<string, string>>) => Promise<void>
}

const MAX_INPUT_LENGTH = 1024

function Inputs({ rules, isSending, onSubmit }: InputsProps) {
  const text = useText(liveWords)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const names = Object.keys(rules)
    const refused = names.filter((name) => !isMatch(rules[name], values[name] ?? ''))
    setWrong(new Set(refused))
    if (refused.length === 0)
      void onSubmit(Object.fromEntries(names.map((name) => [name, values[name] ?? ''])))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {Object.entries(rules).map(([name, { pattern }]) => (
        <TextInput
          key={name}
          mono
          label={name}
          help={text.pattern(pattern)}
          error={wrong.has(name) ? text.mismatch : undefined}
          maxLength={MAX_INPUT_LENGTH}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <Button type="submit" tone="primary" busy={isSending}>
        {text.send}
      </Button>
    </form>
  )
}

/** A pattern that this browser cannot read is left to the server. */
function isMatch(
  rule: { readonly pattern: string; readonly flags?: string | undefined } | undefined,
  value: string,
) {
  try {
    return rule === undefined || new RegExp(rule.pattern, rule.flags).test(value)
  } catch {
    return true
  }
}

interface VisitProps {
  readonly challengeId: string
  readonly job: {
    readonly id: string
    readonly status: string
    readonly createdAt: string
    readonly hasLogs: boolean
  }
}

function Visit({ challengeId, job }: VisitProps) {
  const text = useText(liveWords)
  const [log, setLog] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const show = async () => {
    setOpen(true)
    const { logs } = await ask(readAdminBotLogs, { params: { id: challengeId, jobId: job.id } })
    setLog(logs ?? '')
  }
  return (
    <li className={styles.visit}>
      <time dateTime={job.createdAt}>{new Date(job.createdAt).toLocaleTimeString()}</time>
      <span>{job.status === 'completed' ? text.completed : text.failed}</span>
      {job.hasLogs && <Button onClick={() => void show()}>{text.logs}</Button>}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={text.logs} size="large">
        {log === null && <Skeleton rows={6} />}
        {log === '' && <p>{text.noLogs}</p>}
        {log !== null && log !== '' && (
          <Suspense fallback={<Skeleton rows={6} />}>
            <LogViewer log={log} fileName={`${challengeId}-${job.id}.ndjson`} />
          </Suspense>
        )}
      </Dialog>
    </li>
  )
}
