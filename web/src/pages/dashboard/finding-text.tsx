import { Link } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import type { Check, Finding } from './checks.ts'
import { words } from './words.ts'

/** Challenges that are named; of more, their number is told. */
const MOST_NAMED = 5

/** What the times of the event have to do with. */
const SET_THERE: ReadonlySet<Check> = new Set(['times', 'release'])

/** One finding in words, with the way to what it is about. */
export function FindingText({ finding: { check, challenges } }: { readonly finding: Finding }) {
  const text = useText(words)
  const maySet = useMay('settingsWrite')
  const rest = challenges.length - MOST_NAMED
  return (
    <>
      {text.findings[check]}
      {challenges.slice(0, MOST_NAMED).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}{' '}
          <Link to={paths.adminChallenge(id)}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {rest > 0 && ` ${text.andMore(rest)}`}
      {maySet && SET_THERE.has(check) && (
        <>
          {' · '}
          <Link to={paths.eventSettings()}>{text.where.settings}</Link>
        </>
      )}
    </>
  )
}
