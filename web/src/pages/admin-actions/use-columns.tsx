import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import type { Column } from '../../ui/data/data-table.tsx'
import styles from './actions.module.css'
import type { Action } from './queries.ts'
import { otherActor, useActionName } from './use-action-name.ts'

/** `onFilter` shows only the entries of an organiser. */
export function useColumns(onFilter: (changes: Readonly<Record<string, string>>) => void): Column<Action>[] {
  const text = useMessages(adminActionsMessages)
  const format = useFormat()
  const nameOf = useActionName()
  return [
    {
      id: 'at',
      head: text.time,
      cell: ({ at }) => (
        <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
          {format.dateTime(at)}
        </time>
      ),
    },
    {
      id: 'actor',
      head: text.who,
      cell: ({ actor: { id, name } }) =>
        id === null ? (
          otherActor(name, text)
        ) : (
          <button
            type="button"
            className={styles.choice}
            title={text.onlyActor(name ?? id)}
            onClick={() => onFilter({ actor: id })}
          >
            <bdi>{name ?? id}</bdi>
          </button>
        ),
    },
    { id: 'action', head: text.what, cell: ({ action }) => nameOf(action) },
    {
      id: 'targets',
      head: text.on,
      cell: ({ targets }) =>
        targets.map(({ id, name }) => (
          <bdi key={id} className={styles.name}>
            {name ?? id}
          </bdi>
        )),
    },
    {
      id: 'fields',
      head: text.fields,
      cell: ({ before, after, undoes, undoneBy }) => (
        <span className={styles.names}>
          {before !== null && after !== null && Object.keys(after).join(', ')}
          {undoes !== null && ` · ${text.isUndo}`}
          {undoneBy !== null && ` · ${text.isUndone}`}
        </span>
      ),
    },
  ]
}
