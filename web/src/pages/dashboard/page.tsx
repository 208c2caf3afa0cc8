import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useMay, usePhase } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { TryFlags } from '../../challenge/try-flags.tsx'
import { paths } from '../../paths.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { organiserListMessages } from '../../text/en/organiser-list.ts'
import { useMessages } from '../../text/messages.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Attention } from './attention.tsx'
import { CHECKS } from './checks.ts'
import { Course } from './course.tsx'
import { DeploymentChecks } from './deployment-checks.tsx'
import styles from './dashboard.module.css'
import { FindingText } from './finding-text.tsx'
import { LatestSolves } from './latest-solves.tsx'
import { Figures, Health } from './numbers.tsx'
import { setChallengesQuery } from './queries.ts'
import { Screens } from './screens.tsx'
import { SetupCard } from './setup/setup-card.tsx'
import { useFindings } from './use-findings.ts'

const Plots = lazy(async () => ({ default: (await import('./plots/plots.tsx')).Plots }))

/** Height of the skeleton of a plot. */
const PLOT_HEIGHT = '14rem'

/** The parts are independent: a missing permission or a failing source affects only its own part. */
export function Component() {
  const text = useMessages(dashboardMessages)
  const phase = usePhase()
  const mayRead = useMay('challsRead')
  const mayOversee = useMay('challsRead', 'usersWrite')
  const mayDiagnose = useMay('challsRead', 'settingsWrite')
  const isBefore = phase === 'before'
  const isRunning = mayOversee && !isBefore
  return (
    <OrganiserPage title={text.title} aside={phase === 'running' && <Course />}>
      <SetupCard />
      {mayOversee && <Figures />}
      <div className={styles.columns}>
        <div className={styles.main}>
          {mayRead && isBefore && (
            <Panel title={text.checkList}>
              <CheckList />
              <FlagList />
            </Panel>
          )}
          {mayDiagnose && isBefore && <DeploymentChecks />}
          {isRunning && (
            <Suspense fallback={<Skeleton rows={3} height={PLOT_HEIGHT} />}>
              <Plots />
            </Suspense>
          )}
        </div>
        <div className={styles.side}>
          {mayRead && (
            <Panel title={text.warnings} className={styles.first}>
              <Attention withChecks={!isBefore} />
            </Panel>
          )}
          {isRunning && (
            <Panel
              title={text.latestSolves}
              actions={<Link to={paths.submissions()}>{text.where.submissions}</Link>}
            >
              <LatestSolves />
            </Panel>
          )}
          <Screens />
          <Panel title={text.healthTitle}>
            <Health isFull={mayOversee} />
          </Panel>
        </div>
      </div>
    </OrganiserPage>
  )
}

/** Tries the flags of all visible challenges at once. */
function FlagList() {
  const { tryFlags } = useMessages(organiserListMessages)
  const { data } = useQuery(setChallengesQuery)
  const shown = (data ?? []).filter(({ hidden, flags, scoring }) => {
    return !hidden && flags.length > 0 && scoring.kind !== 'dynamic'
  })
  if (shown.length === 0) return null
  return (
    <Section title={tryFlags.title} level={3} fold="closed" className={styles.trials}>
      <p className={styles.small}>{tryFlags.about}</p>
      <TryFlags challenges={shown} />
    </Section>
  )
}

/** Before the start: every check that ran and whether it passes. */
function CheckList() {
  const text = useMessages(dashboardMessages)
  const { findings, ran, source } = useFindings()
  if (!findings || !ran) return <Waiting query={source} rows={CHECKS.length} />
  return (
    <ul className="pn-list pn-gap-2 pn-grid">
      {CHECKS.map((check) => {
        const finding = findings.find((each) => each.check === check)
        if (!finding && !ran.includes(check)) return null
        return (
          <li key={check} className={finding ? styles.warning : styles.good}>
            <Icon name={finding ? 'alert' : 'check'} />
            <span>{finding ? <FindingText finding={finding} /> : text.passed[check]}</span>
          </li>
        )
      })}
    </ul>
  )
}
