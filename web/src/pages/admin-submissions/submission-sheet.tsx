import { useState } from 'react'
import { Link } from 'react-router'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { PersonName } from '../../account/activity.tsx'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { Result } from './columns.tsx'
import { sharedFrom, textOf, type AuditRow } from './queries.ts'
import styles from './submissions.module.css'

interface SubmissionSheetProps {
  /** Null while it is closed. */
  readonly row: AuditRow | null
  readonly areTextsShown: boolean
  readonly onClose: () => void
}

/** All details of one submission. */
export function SubmissionSheet({ row, areTextsShown, onClose }: SubmissionSheetProps) {
  const text = useMessages(adminSubmissionsMessages)
  return (
    <Sheet open={row !== null} onClose={onClose} title={text.details}>
      {row && <Facts key={row.id} row={row} areTextsShown={areTextsShown} />}
    </Sheet>
  )
}

interface FactsProps {
  readonly row: AuditRow
  readonly areTextsShown: boolean
}

function Facts({ row, areTextsShown }: FactsProps) {
  const text = useMessages(adminSubmissionsMessages)
  const { activity } = useMessages(peopleMessages)
  const config = useConfig()
  const format = useFormat()
  const from = sharedFrom(row)
  return (
    <div className={styles.facts}>
      <Result row={row} />
      <time dateTime={row.createdAt}>{format.dateTime(parseTimestamp(row.createdAt))}</time>
      <bdi>{row.challengeName}</bdi>
      <Link to={paths.adminTeam(row.userId)}>
        <bdi>{row.userName}</bdi>
      </Link>
      {from !== null && (
        <div className={styles.pair}>
          <p>{text.sharedAbout}</p>
          <Link to={paths.adminTeam(row.userId)}>{text.submitter}</Link>
          <Link to={paths.adminTeam(from)}>{text.otherTeam}</Link>
        </div>
      )}
      <dl className={styles.list}>
        {(config?.people || row.apiToken) && (
          <>
            <dt>{activity.person}</dt>
            <dd>
              <PersonName person={row.person} apiToken={row.apiToken} />
            </dd>
          </>
        )}
        <dt>{text.ip}</dt>
        <dd dir="ltr">{row.ip}</dd>
        <dt>{text.type}</dt>
        <dd>{text.kinds[row.kind]}</dd>
        <dt>{text.category}</dt>
        <dd>{row.challengeCategory}</dd>
        <dt>{text.division}</dt>
        <dd>{divisionName(config?.divisions, row.userDivision)}</dd>
      </dl>
      <Texts row={row} areTextsShown={areTextsShown} />
    </div>
  )
}

/** The submitted and the expected flag. Hidden until requested, because screens are shared. */
function Texts({ row, areTextsShown }: FactsProps) {
  const text = useMessages(adminSubmissionsMessages)
  const [isRevealed, setRevealed] = useState(false)
  if (!areTextsShown && !isRevealed)
    return (
      <p>
        <code>{text.hidden}</code>{' '}
        <Button icon="eye" onClick={() => setRevealed(true)}>
          {text.reveal}
        </Button>
      </p>
    )
  return (
    <>
      <code dir="ltr">{textOf(row)}</code>
      <pre dir="ltr" tabIndex={0} aria-label={text.details}>
        {JSON.stringify(row.details, null, 2)}
      </pre>
    </>
  )
}
