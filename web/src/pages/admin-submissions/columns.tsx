import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { PersonName } from '../../account/activity.tsx'
import { useConfig } from '../../api/use-contest.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { clockText } from '../../ui/data/durations.ts'
import type { Column } from '../../ui/data/data-table.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { sharedFrom, textOf, type AuditRow } from './queries.ts'
import styles from './submissions.module.css'

interface Shown {
  /** Flags are only shown on demand, because organisers share their screens. */
  readonly areTextsShown: boolean
  readonly onIp: (ip: string) => void
  readonly onPerson: (id: string) => void
}

export function useColumns({ areTextsShown, onIp, onPerson }: Shown): Column<AuditRow>[] {
  const text = useMessages(adminSubmissionsMessages)
  const person = usePersonColumn(onPerson)
  return [
    { id: 'createdAt', head: text.time, sortable: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'team', head: text.team, sortable: true, cell: ({ userName }) => <bdi>{userName}</bdi> },
    ...person,
    {
      id: 'challenge',
      head: text.challenge,
      sortable: true,
      cell: ({ challengeName }) => <bdi>{challengeName}</bdi>,
    },
    { id: 'kind', head: text.type, sortable: true, spare: true, cell: ({ kind }) => text.kinds[kind] },
    { id: 'result', head: text.result, sortable: true, cell: (row) => <Result row={row} /> },
    {
      id: 'ip',
      head: text.ip,
      sortable: true,
      cell: ({ ip }) => (
        <button
          type="button"
          className={styles.ip}
          dir="ltr"
          title={text.onlyIp(ip)}
          onClick={() => onIp(ip)}
        >
          {ip}
        </button>
      ),
    },
    {
      id: 'sent',
      head: text.content,
      cell: (row) => (
        <code dir="ltr" className={styles.sent}>
          {areTextsShown ? textOf(row) : text.hidden}
        </code>
      ),
    },
  ]
}

/** Who of the team it was; no column in a contest without people. */
function usePersonColumn(onPerson: Shown['onPerson']): Column<AuditRow>[] {
  const { activity } = useMessages(peopleMessages)
  if (!useConfig()?.people) return []
  const cell = ({ person, apiToken }: AuditRow) => {
    if (!person) return <PersonName person={person} apiToken={apiToken} />
    const name = person.name ?? activity.deleted
    return (
      <button
        type="button"
        className={styles.ip}
        title={activity.onlyPerson(name)}
        onClick={() => onPerson(person.id)}
      >
        <PersonName person={person} apiToken={apiToken} />
      </button>
    )
  }
  return [{ id: 'person', head: activity.person, spare: true, cell }]
}

function Time({ at }: { readonly at: string }) {
  const format = useFormat()
  const start = useConfig()?.startTime
  const time = parseTimestamp(at)
  const since = start === undefined || time < start ? '' : ` (+${clockText(time - start)})`
  return (
    <time dateTime={at} title={format.dateTime(time)}>
      {format.time(time) + since}
    </time>
  )
}

/** An icon per result, so that results are not distinguished by colour alone. */
const SIGNS: Readonly<Record<AuditRow['result'], IconName>> = {
  correct: 'check',
  incorrect: 'close',
  already_solved: 'check',
  queued: 'clock',
  active_job: 'clock',
  invalid_input: 'alert',
  bad_instancer_state: 'alert',
}

export function Result({ row }: { readonly row: AuditRow }) {
  const text = useMessages(adminSubmissionsMessages)
  const isShared = sharedFrom(row) !== null
  return (
    <span className={styles.result} data-result={isShared ? 'shared' : row.result}>
      <Icon name={isShared ? 'alert' : SIGNS[row.result]} />
      {text.results[row.result]}
      {isShared && <b>{text.shared}</b>}
    </span>
  )
}
