import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMay, usePhase } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import { Icon } from '../../ui/icon.tsx'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { useFormat } from '../../text/format.ts'
import { Numbers } from './numbers.tsx'
import { Unsolved } from './unsolved.tsx'
import { Attention } from './attention.tsx'
import { CHECKS } from './checks.ts'
import styles from './dashboard.module.css'
import { FindingText } from './finding-text.tsx'
import { useFindings } from './use-findings.ts'
import { lastSolvesQuery } from './queries.ts'

/** The parts are independent: a missing permission or a failing source affects only its own part. */
export function Component() {
  const text = useMessages(dashboardMessages)
  const phase = usePhase()
  const mayRead = useMay('challsRead')
  const mayOversee = useMay('challsRead', 'usersWrite')
  const isBefore = phase === 'before'
  return (
    <OrganiserPage title={text.title}>
      {mayRead && isBefore && (
        <Section title={text.checkList}>
          <CheckList />
        </Section>
      )}
      {mayRead && (
        <Section title={text.warnings}>
          <Attention withChecks={!isBefore} />
        </Section>
      )}
      <Section title={text.numbers}>
        <Numbers isFull={mayOversee} />
      </Section>
      {mayOversee && !isBefore && (
        <>
          <Section title={text.lastSolves}>
            <LastSolves />
          </Section>
          <Section title={text.unsolved}>
            <Unsolved />
          </Section>
        </>
      )}
    </OrganiserPage>
  )
}

/** Before the start: every check that ran and whether it passes. */
function CheckList() {
  const text = useMessages(dashboardMessages)
  const { findings, ran, source } = useFindings()
  if (!findings || !ran) return <Waiting query={source} rows={CHECKS.length} />
  return (
    <ul className={styles.warnings}>
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

/** The latest correct flags. */
function LastSolves() {
  const text = useMessages(dashboardMessages)
  const format = useFormat()
  const now = useNow()
  const query = useQuery(lastSolvesQuery)
  if (!query.data) return <Waiting query={query} rows={4} />
  const { submissions } = query.data
  if (submissions.length === 0) return <p>{text.noSolves}</p>
  return (
    <ol className={styles.list}>
      {submissions.map(({ id, userId, userName, challengeId, challengeName, createdAt }) => (
        <li key={id}>
          <Link to={paths.adminTeam(userId)}>
            <bdi>{userName}</bdi>
          </Link>
          <Link to={paths.adminChallenge(challengeId)}>
            <bdi>{challengeName}</bdi>
          </Link>
          <time dateTime={createdAt} className={styles.small}>
            {format.relative(Math.min(parseTimestamp(createdAt), now), now)}
          </time>
        </li>
      ))}
    </ol>
  )
}
