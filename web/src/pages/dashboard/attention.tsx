import type { WarningCode } from '@pennant/contract/overview.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { useMay } from '../../api/use-contest.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { diagnosisMessages } from '../../text/en/diagnosis.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Icon } from '../../ui/icon.tsx'
import { useFailedChecks } from './deployment-checks.tsx'
import styles from './dashboard.module.css'
import { FindingText } from './finding-text.tsx'
import { unusualOf } from './plots/difficulty.ts'
import { overviewQuery, statisticsQuery, type Overview } from './queries.ts'
import { useFindings } from './use-findings.ts'
import { warningText } from './warning-text.ts'
import { deleteTeamSolves } from '@pennant/contract/admin-teams.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'

type Code = z.output<typeof WarningCode>

/** Warnings that this browser's checks also report, with links to the challenges. */
const CHECKED_HERE: ReadonlySet<Code> = new Set([
  'challengeWithoutFlag',
  'endBeforeStart',
  'pointsReversed',
  'releaseAfterEnd',
])

/** More of them are a property of the event, not of a challenge. */
const MAX_UNUSUAL = 3

/** The page where a warning can be fixed. The others concern the operator of the server. */
const WHERE: Partial<Record<Code, keyof typeof PAGES>> = {
  instancerUnreachable: 'instances',
  instancerMissing: 'challenges',
  botMissing: 'challenges',
  botWithoutWorker: 'submissions',
  challengeWithoutFlag: 'challenges',
  pointsReversed: 'challenges',
  releaseAfterEnd: 'challenges',
  scoringSecretShared: 'challenges',
  mailFailing: 'verifications',
  mailGivenUp: 'verifications',
}
const PAGES = {
  instances: paths.instances,
  challenges: paths.adminChallenges,
  submissions: paths.submissions,
  verifications: paths.verifications,
} as const

/**
 * Current problems: server warnings, newest first, and findings of this browser. Each source works without
 * the other.
 */
export function Attention({ withChecks }: { readonly withChecks: boolean }) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const mayOversee = useMay('challsRead', 'usersWrite')
  const diagnosisText = useMessages(diagnosisMessages)
  const overview = useQuery({ ...overviewQuery, enabled: mayOversee })
  const { findings: found, source } = useFindings()
  const findings = (withChecks && found) || []
  const isSaidHere = (code: Code) => found !== null && CHECKED_HERE.has(code)
  const warnings = (overview.data?.warnings ?? []).filter(({ code }) => !isSaidHere(code))
  // Before the start, the checklist shows them; the sentence here must not contradict it.
  const failed = found?.length ?? 0
  const unusual = useUnusual(mayOversee && withChecks)
  const mayDiagnose = useMay('challsRead', 'settingsWrite')
  const serverFailed = useFailedChecks(mayDiagnose && !withChecks)
  const isTold = !mayOversee || overview.data !== undefined
  const isChecked = found !== null
  const isQuiet = findings.length + warnings.length + unusual.length === 0
  return (
    <>
      {!isTold && <Waiting query={overview} rows={2} />}
      {/* If both fail with the same error, show it once. */}
      {isTold && !isChecked && withChecks && <Waiting query={source} rows={2} />}
      {isQuiet && isTold && isChecked && (failed > 0 || serverFailed === 0) && (
        <p>{failed > 0 ? text.checksFailed(failed) : mayOversee ? text.noWarnings : text.checksPassed}</p>
      )}
      {serverFailed > 0 && <p>{diagnosisText.failed(serverFailed)}</p>}
      {!mayOversee && <p className={styles.small}>{text.warningsHidden}</p>}
      {!isQuiet && (
        <ul className="pn-list pn-gap-2 pn-grid">
          {warnings.map((warning) => (
            <ToldWarning key={warning.code} warning={warning}>
              {warning.code === 'organiserSolves' && (
                <OrganiserSolves organisers={overview.data?.organisersWithSolves ?? []} />
              )}
            </ToldWarning>
          ))}
          {findings.map((finding) => (
            <li key={finding.check} className={styles.warning}>
              <Icon name="alert" />
              <span>
                <FindingText finding={finding} />
              </span>
            </li>
          ))}
          {unusual.map(({ id, name, wrong, correct }) => (
            <li key={id} className={styles.warning}>
              <Icon name="alert" />
              <span>
                <Link to={paths.adminChallenge(id)}>
                  <bdi>{name}</bdi>
                </Link>
                {`: ${text.unusual(number(wrong), number(correct))} `}
                <Link to={paths.submissionsOf(id)}>{text.where.submissions}</Link>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Challenges with far more wrong flags than the others suggest. */
function useUnusual(enabled: boolean) {
  const { data } = useQuery({ ...statisticsQuery, enabled })
  if (!data || !enabled) return []
  return unusualOf(data.challenges).slice(0, MAX_UNUSUAL)
}

interface ToldProps {
  readonly warning: Overview['warnings'][number]
  readonly children?: ReactNode
}

function ToldWarning({ warning: { code, text: said, since }, children }: ToldProps) {
  const text = useMessages(dashboardMessages)
  const format = useFormat()
  const now = useNow()
  const page = WHERE[code]
  return (
    <li className={styles.warning}>
      <Icon name="alert" />
      <span>
        {warningText(text.warningTexts, code, said)}{' '}
        <span className={styles.small}>{format.relative(since, now)}</span>{' '}
        {page && <Link to={PAGES[page]()}>{text.where[page]}</Link>}
        {children}
      </span>
    </li>
  )
}

interface OrganiserSolvesProps {
  readonly organisers: Overview['organisersWithSolves']
}

/** Removes what organisers solved while testing. Each removal is in the action log. */
function OrganiserSolves({ organisers }: OrganiserSolvesProps) {
  const text = useMessages(dashboardMessages).organiserSolves
  const mayRemove = useMay('challsSolveWrite')
  const client = useQueryClient()
  const action = useAction()
  const remove = async () => {
    for (const { id } of organisers) {
      const removed = await action.run(() => send(deleteTeamSolves, { params: { userId: id } }))
      if (!removed) break
    }
    await client.invalidateQueries({ queryKey: overviewQuery.queryKey })
  }
  return (
    <>
      <span className={styles.small}>{text.about}</span>
      {mayRemove && (
        <div>
          <ConfirmButton busy={action.isPending} onConfirm={() => void remove()}>
            {text.remove}
          </ConfirmButton>
        </div>
      )}
      <FailureLine>{action.failure}</FailureLine>
    </>
  )
}
