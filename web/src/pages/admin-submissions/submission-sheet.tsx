import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { Result } from './columns.tsx'
import { sharedFrom, type AuditRow } from './queries.ts'
import styles from './submissions.module.css'
import { words } from './words.ts'

interface SubmissionSheetProps {
  /** Null while it is closed. */
  readonly row: AuditRow | null
  readonly onClose: () => void
}

/** All that is known of one submission. */
export function SubmissionSheet({ row, onClose }: SubmissionSheetProps) {
  const text = useText(words)
  return (
    <Sheet open={row !== null} onClose={onClose} title={text.details}>
      {row && <Facts row={row} />}
    </Sheet>
  )
}

function Facts({ row }: { readonly row: AuditRow }) {
  const text = useText(words)
  const format = useFormat()
  const from = sharedFrom(row)
  return (
    <div className={styles.facts}>
      <Result row={row} />
      <time dateTime={row.createdAt}>{format.dateTime(Date.parse(row.createdAt))}</time>
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
      <pre dir="ltr" tabIndex={0} aria-label={text.details}>
        {JSON.stringify(row.details, null, 2)}
      </pre>
    </div>
  )
}
