import { readDiagnosis, runDiagnosis } from '@pennant/contract/diagnosis.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { CheckList } from '../../organisers/check-list.tsx'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useNow } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { diagnosisMessages } from '../../text/en/diagnosis.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './dashboard.module.css'

const RUNNING_EVERY_MS = 2 * SECOND_MS
const EVERY_MS = 30 * SECOND_MS

type State = Awaited<ReturnType<typeof requestData<typeof readDiagnosis>>>

const diagnosisQuery = queryOptions({
  queryKey: [OWN_KEY, 'diagnosis'],
  queryFn: ({ signal }) => requestData(readDiagnosis, {}, { signal }),
})

/** The number of failed checks and warnings of the last run; 0 before the first one. */
export function useFailedChecks(isWanted: boolean): number {
  const { data } = useQuery({ ...diagnosisQuery, enabled: isWanted })
  return data?.checks.filter(({ severity }) => severity === 'error' || severity === 'warning').length ?? 0
}

/** The checks of the server, such as mail and backups. They run only on request. */
export function DeploymentChecks() {
  const text = useMessages(diagnosisMessages)
  const client = useQueryClient()
  const isKnownRunning = client.getQueryData(diagnosisQuery.queryKey)?.isRunning ?? false
  const query = useQuery({ ...diagnosisQuery, ...refresh(isKnownRunning ? RUNNING_EVERY_MS : EVERY_MS) })
  const action = useAction()
  const run = async (sendMail: boolean) => {
    const response = await action.run(() => send(runDiagnosis, { body: { sendMail } }))
    if (response) client.setQueryData(diagnosisQuery.queryKey, response.data)
  }
  const isBusy = action.isPending || isKnownRunning
  const because = action.waitS > 0 ? text.tooOften(action.waitS) : isKnownRunning ? text.running : undefined
  return (
    <Panel title={text.title}>
      <p className={styles.small}>{text.about}</p>
      <p className="pn-wrap pn-gap-2">
        <Button tone="primary" busy={isBusy} disabledBecause={because} onClick={() => void run(false)}>
          {query.data?.ranAt === null ? text.run : text.runAgain}
        </Button>
        <Button disabledBecause={because} onClick={() => void run(true)}>
          {text.runWithMail}
        </Button>
      </p>
      <FailureLine>{action.failure}</FailureLine>
      {query.data ? <Results state={query.data} /> : <Waiting query={query} rows={6} />}
    </Panel>
  )
}

function Results({ state: { address, ranAt, isRunning, checks } }: { readonly state: State }) {
  const text = useMessages(diagnosisMessages)
  const format = useFormat()
  const now = useNow()
  const ended = ranAt === null ? text.neverRan : text.ranAt(format.relative(Math.min(ranAt, now), now))
  return (
    <>
      <p className={styles.small}>
        <span role="status">{isRunning ? text.running : ended}</span> {text.address} <bdi>{address}</bdi>
      </p>
      <CheckList checks={checks} />
    </>
  )
}
