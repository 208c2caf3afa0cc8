import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useMay, usePhase } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { TryFlags } from '../../challenge/try-flags.tsx'
import { paths } from '../../paths.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { organiserListMessages } from '../../text/en/organiser-list.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Attention } from './attention.tsx'
import { CHECKS } from './checks.ts'
import { Course } from './course.tsx'
import { DeploymentChecks } from './deployment-checks.tsx'
import styles from './dashboard.module.css'
import { FindingText } from './finding-text.tsx'
import { Figures, Health } from './numbers.tsx'
import { setChallengesQuery, lastSolvesQuery } from './queries.ts'
import { SetupCard } from './setup/setup-card.tsx'
import { useFindings } from './use-findings.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { useNow } from '../../state/clock.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'

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

const Composer = lazy(async () => ({
  default: (await import('./screen-composer.tsx')).Composer,
}))

/** What organisers show to an audience. */
function Screens() {
  const text = useMessages(dashboardMessages)
  const [isOpen, setOpen] = useState(false)
  const mayReveal = useMay('leaderboardRead')
  return (
    <Panel title={text.screens}>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.bigScreen}
      </Button>{' '}
      {mayReveal && (
        <a className={buttonClass('plain')} href={paths.ceremony()} target="_blank" rel="noreferrer">
          {text.ceremony}
        </a>
      )}
      <Suspense>{isOpen && <Composer onClose={() => setOpen(false)} />}</Suspense>
    </Panel>
  )
}

/** The latest correct flags. */
function LatestSolves() {
  const text = useMessages(dashboardMessages)
  const format = useFormat()
  const now = useNow()
  const query = useQuery(lastSolvesQuery)
  if (!query.data) return <Waiting query={query} rows={4} />
  const { submissions } = query.data
  if (submissions.length === 0) return <EmptyState isPart>{text.noSolves}</EmptyState>
  return (
    <ol className={styles.lines}>
      {submissions.map((row) => (
        <li key={row.id}>
          <Avatar name={row.userName} teamId={row.userId} url={null} size={22} />
          <Link to={paths.adminTeam(row.userId)} className={styles.cut}>
            <bdi>{row.userName}</bdi>
          </Link>
          <CategoryMark name={row.challengeCategory} form="icon" />
          <Link to={paths.adminChallenge(row.challengeId)} className={styles.cut}>
            <bdi>{row.challengeName}</bdi>
          </Link>
          <time dateTime={row.createdAt} className={styles.small}>
            {format.relative(Math.min(parseTimestamp(row.createdAt), now), now)}
          </time>
        </li>
      ))}
    </ol>
  )
}
