import { Link } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useMessages } from '../../text/messages.ts'
import type { Check, Finding } from './checks.ts'

/** Maximum number of challenges listed by name; the rest is a count. */
const MAX_NAMED = 5

/** Checks that link to the event settings. */
const SET_THERE: ReadonlySet<Check> = new Set(['scheduled', 'times', 'release'])

/** One finding as text, with links to fix it. */
export function FindingText({ finding: { check, challenges } }: { readonly finding: Finding }) {
  const text = useMessages(dashboardMessages)
  const mayWrite = useMay('challsWrite')
  const maySet = useMay('settingsWrite')
  const rest = challenges.length - MAX_NAMED
  return (
    <>
      {text.findings[check]}
      {challenges.slice(0, MAX_NAMED).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}{' '}
          <Link to={paths.adminChallenge(id)}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {rest > 0 && ` ${text.andMore(rest)}`}
      {mayWrite && check === 'visible' && (
        <>
          {' · '}
          <Link to={paths.adminChallenges()}>{text.where.challenges}</Link>
        </>
      )}
      {maySet && SET_THERE.has(check) && (
        <>
          {' · '}
          <Link to={paths.eventSettings()}>{text.where.settings}</Link>
        </>
      )}
    </>
  )
}
