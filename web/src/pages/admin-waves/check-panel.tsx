import { SECOND_MS } from '@pennant/contract/durations.ts'
import { readWaveCheck, startWaveCheck } from '@pennant/contract/wave-checks.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { CheckList } from '../../organisers/check-list.tsx'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useNow } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { TryFlags } from '../../challenge/try-flags.tsx'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { organiserListMessages } from '../../text/en/organiser-list.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'
import styles from './admin-waves.module.css'
import type { Wave } from './queries.ts'

const RUNNING_EVERY_MS = 2 * SECOND_MS
const EVERY_MS = 30 * SECOND_MS

type State = Awaited<ReturnType<typeof requestData<typeof readWaveCheck>>>
type Challenge = State['challenges'][number]

const checkQuery = (id: string) =>
  queryOptions({
    queryKey: [OWN_KEY, 'wave-check', id],
    queryFn: ({ signal }) => requestData(readWaveCheck, { params: { id } }, { signal }),
  })

interface CheckProps {
  readonly wave: Wave
  readonly mayWrite: boolean
  readonly onClose: () => void
}

/** The check of a wave before it opens: files, flags, instances and visits of the admin bot. */
export function CheckPanel({ wave: { id, name }, mayWrite, onClose }: CheckProps) {
  const text = useMessages(adminWavesMessages)
  const { tryFlags } = useMessages(organiserListMessages)
  const client = useQueryClient()
  const options = checkQuery(id)
  const isRunning = client.getQueryData(options.queryKey)?.state === 'running'
  const query = useQuery({ ...options, ...refresh(isRunning ? RUNNING_EVERY_MS : EVERY_MS) })
  const action = useAction()
  const [isOtherBusy, setOtherBusy] = useState(false)
  const start = async () => {
    const response = await action.run(async () => {
      const sent = await send(startWaveCheck, { params: { id } })
      setOtherBusy(sent.kind === 'badWaveCheckBusy')
      return sent
    })
    if (response?.kind === 'goodWaveCheckStart') client.setQueryData(options.queryKey, response.data)
  }
  const because =
    action.waitS > 0 ? text.check.tooOften(action.waitS) : isRunning ? text.check.running : undefined
  return (
    <Panel title={text.check.of(name)}>
      <p>{text.check.about}</p>
      <div className={styles.actions}>
        {mayWrite && (
          <Button
            tone="primary"
            busy={action.isPending || isRunning}
            disabledBecause={because}
            onClick={() => void start()}
          >
            {query.data?.startedAt == null ? text.check.run : text.check.runAgain}
          </Button>
        )}
        <Button onClick={onClose}>{text.check.close}</Button>
      </div>
      <FailureLine>{isOtherBusy ? text.check.busy : action.failure}</FailureLine>
      {query.data && query.data.challenges.length > 0 && (
        <Section title={tryFlags.title} level={3} fold="closed">
          <p className="pn-muted">{tryFlags.about}</p>
          <TryFlags challenges={query.data.challenges} />
        </Section>
      )}
      {query.data ? <Results state={query.data} /> : <Waiting query={query} rows={4} />}
    </Panel>
  )
}

function Results({ state: { state, startedAt, finishedAt, challenges } }: { readonly state: State }) {
  const text = useMessages(adminWavesMessages).check
  const format = useFormat()
  const now = useNow()
  const done = challenges.filter((each) => each.state !== 'unchecked').length
  const ago = (at: number) => format.relative(Math.min(at, now), now)
  const line =
    state === 'running'
      ? text.progress(done, challenges.length)
      : state === 'interrupted'
        ? text.interrupted(ago(startedAt ?? now))
        : finishedAt === null
          ? text.never
          : `${text.finished(ago(finishedAt))} ${text.attention(challenges.filter(needsWork).length)}`
  return (
    <>
      <p role="status">{line}</p>
      {state !== 'never' &&
        challenges.map((challenge) => <ChallengeResult key={challenge.id} challenge={challenge} />)}
    </>
  )
}

function needsWork({ checks }: Challenge): boolean {
  return checks.some(({ severity }) => severity === 'error' || severity === 'warning')
}

function ChallengeResult({ challenge: { name, state, checks } }: { readonly challenge: Challenge }) {
  const text = useMessages(adminWavesMessages).check
  const passed = checks.filter(({ severity }) => severity === 'ok').length
  return (
    <section className={styles.result}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p className="pn-muted">
        {state === 'unchecked' ? text.notChecked : text.passed(passed, checks.length)}
        {state === 'outdated' && <strong> {text.outdated}</strong>}
      </p>
      {passed < checks.length && <CheckList checks={checks.filter(({ severity }) => severity !== 'ok')} />}
    </section>
  )
}
