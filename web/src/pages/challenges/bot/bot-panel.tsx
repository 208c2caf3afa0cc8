import { readAdminBotLogs } from '@pennant/contract/admin-bot.ts'
import { Fragment, lazy, Suspense, useState, type FormEvent } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { requestData } from '../../../api/client.ts'
import { useTimed } from '../../../state/clock.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { livePartsMessages } from '../../../text/en/live-parts.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { ErrorState } from '../../../ui/states/messages.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import styles from '../../../challenge/live.module.css'
import { useInstance } from '../../../challenge/use-instance.ts'
import { useBot } from './use-bot.ts'

const LogViewer = lazy(async () => ({ default: (await import('../../../ui/rich/log-viewer.tsx')).LogViewer }))

/** Submits the admin bot's inputs, shows the job's progress and its output. */
export function BotPanel({ challenge }: { readonly challenge: Challenge }) {
  const text = useMessages(livePartsMessages)
  const bot = useBot(challenge.id)
  const { job, jobs, problem, waitS } = bot
  const held = waitS > 0 ? text.nextTry(String(waitS)) : job ? text.oneAtATime : undefined
  return (
    <Panel title={text.bot} level={3}>
      <Inputs
        rules={challenge.adminBotInputs ?? {}}
        isSending={bot.isSending}
        held={held}
        label={waitS > 0 ? text.nextTry(String(waitS)) : text.send}
        onSubmit={bot.submit}
      />
      <div role="status" className={styles.said}>
        {job && <JobState job={job} isOwn={bot.isOwn} />}
        {bot.ended && <p>{bot.ended.status === 'completed' ? text.completed : text.failed}</p>}
        {problem !== null && <p className="pn-bad">{problem}</p>}
      </div>
      {job?.status === 'running' && <RunningFor key={job.id} />}
      {bot.needsInstance && <InstanceActions id={challenge.id} />}
      {jobs.length > 0 && (
        <>
          <h4>{text.history}</h4>
          <ul className="pn-list pn-gap-2 pn-grid">
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

interface JobStateProps {
  readonly job: { readonly status: string; readonly queuePosition: number | null }
  readonly isOwn: boolean
}

function JobState({ job, isOwn }: JobStateProps) {
  const text = useMessages(livePartsMessages)
  const { ordinal } = useMessages(challengesMessages)
  return (
    <p>
      {job.status === 'queued' ? text.queued(ordinal(job.queuePosition ?? 1)) : text.visiting}
      {!isOwn && ` ${text.byTeam}`}
    </p>
  )
}

/** Time since the job was first seen running; not announced to screen readers every second. */
function RunningFor() {
  const text = useMessages(livePartsMessages)
  const format = useFormat()
  const [began] = useState(() => performance.now())
  const seconds = useTimed(() => Math.floor((performance.now() - began) / SECOND_MS))
  return <p className="pn-muted pn-digits">{text.runningFor(format.number(seconds))}</p>
}

/** The bot requires the team's instance: actions to start it here. */
function InstanceActions({ id }: { readonly id: string }) {
  const text = useMessages(livePartsMessages)
  const { state, pending, problem, act, gates } = useInstance(id)
  const isRunning = state?.status === 'running'
  const action = isRunning ? 'extend' : 'start'
  return (
    <div className={styles.actions}>
      <Button busy={pending === action} onClick={() => act(action)}>
        {isRunning ? text.extend : text.start}
      </Button>
      {problem !== null && <p className="pn-bad">{problem}</p>}
      {gates.map((gate, at) => (
        <Fragment key={at}>{gate}</Fragment>
      ))}
    </div>
  )
}

interface InputsProps {
  readonly rules: NonNullable<Challenge['adminBotInputs']>
  readonly isSending: boolean
  /** Why nothing can be submitted now. */
  readonly held: string | undefined
  readonly label: string
  readonly onSubmit: (inputs: Readonly<Record<string, string>>) => Promise<void>
}

const MAX_INPUT_LENGTH = 1024

function Inputs({ rules, isSending, held, label, onSubmit }: InputsProps) {
  const text = useMessages(livePartsMessages)
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
    <form className="pn-grid pn-gap-3" onSubmit={submit}>
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
      <Button type="submit" tone="primary" busy={isSending} disabledBecause={held}>
        {label}
      </Button>
    </form>
  )
}

/** Treats a pattern that this browser cannot parse as a match; the server validates again. */
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
  const text = useMessages(livePartsMessages)
  const format = useFormat()
  const [log, setLog] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const show = async () => {
    setOpen(true)
    setFailed(false)
    try {
      const { logs } = await requestData(readAdminBotLogs, { params: { id: challengeId, jobId: job.id } })
      setLog(logs ?? '')
    } catch {
      setFailed(true)
    }
  }
  return (
    <li className={styles.visit}>
      <time dateTime={job.createdAt}>{format.dateTime(parseTimestamp(job.createdAt))}</time>
      <span>{job.status === 'completed' ? text.completed : text.failed}</span>
      {job.hasLogs && <Button onClick={() => void show()}>{text.logs}</Button>}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={text.logs} size="large">
        {log === null && !isFailed && <Skeleton rows={6} />}
        {isFailed && <ErrorState onRetry={() => void show()}>{text.logsFailed}</ErrorState>}
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
