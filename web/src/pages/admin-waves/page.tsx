import { useQuery, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import styles from './admin-waves.module.css'
import { Editor } from './editor.tsx'
import { wavesQuery, type Wave } from './queries.ts'
import { WaveTable } from './wave-table.tsx'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { readWaveCheck, startWaveCheck } from '@pennant/contract/wave-checks.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { CheckList } from '../../organisers/check-list.tsx'
import { useNow } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { TryFlags } from '../../challenge/try-flags.tsx'
import { organiserListMessages } from '../../text/en/organiser-list.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'

/** Creates, edits, moves and deletes waves. */
export function Component() {
  const text = useMessages(adminWavesMessages)
  const query = useQuery(wavesQuery)
  const [edited, setEdited] = useState<Wave | null>(null)
  const [saves, setSaves] = useState(0)
  const mayWrite = useMay('challsWrite')
  const [search, setSearch] = useSearchParams()
  const checked = query.data?.find(({ id }) => id === search.get('check'))
  const check = (id: string | null) => setSearch(id === null ? {} : { check: id }, { replace: true })
  const done = () => {
    setEdited(null)
    setSaves(saves + 1)
  }
  return (
    <OrganiserPage title={text.page}>
      {query.data ? (
        <WaveTable rows={query.data} mayWrite={mayWrite} onEdit={setEdited} onCheck={({ id }) => check(id)} />
      ) : (
        <Waiting query={query} rows={4} />
      )}
      {checked && (
        <CheckPanel key={checked.id} wave={checked} mayWrite={mayWrite} onClose={() => check(null)} />
      )}
      {mayWrite && (
        <div className={styles.narrow}>
          <Editor key={`${edited?.id} ${saves}`} stored={edited} waves={query.data ?? []} onDone={done} />
        </div>
      )}
    </OrganiserPage>
  )
}

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
function CheckPanel({ wave: { id, name }, mayWrite, onClose }: CheckProps) {
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
