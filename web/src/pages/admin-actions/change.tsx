import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import styles from './actions.module.css'
import { changedLines } from './changed-lines.ts'
import type { Action } from './queries.ts'

/** Each field with its value before and after. */
export function Change({ action: { before, after } }: { readonly action: Action }) {
  const text = useMessages(adminActionsMessages)
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return <p>{text.noFields}</p>
  return (
    <dl className={styles.fields}>
      {fields.map((field) => (
        <div key={field} className={styles.field}>
          <dt>
            <code dir="ltr">{field}</code>
          </dt>
          <Sides
            field={field}
            before={before === null ? undefined : (before[field] ?? null)}
            after={after === null ? undefined : (after[field] ?? null)}
          />
        </div>
      ))}
    </dl>
  )
}

interface SidesProps {
  readonly field: string
  /** Undefined: there was no such object. */
  readonly before: unknown
  readonly after: unknown
}

function Sides({ field, before, after }: SidesProps) {
  const text = useMessages(adminActionsMessages)
  const show = useShownValue(field)
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return <Lines before={before} after={after} />
  return (
    <>
      {before !== undefined && (
        <dd>
          <span className={styles.side}>{text.before}</span> <del dir="auto">{show(before)}</del>
        </dd>
      )}
      {after !== undefined && (
        <dd>
          <span className={styles.side}>{text.after}</span> <ins dir="auto">{show(after)}</ins>
        </dd>
      )}
    </>
  )
}

function Lines({ before, after }: { readonly before: string; readonly after: string }) {
  const text = useMessages(adminActionsMessages)
  const { same, removed, added } = changedLines(before, after)
  const [start, end] = same
  return (
    <dd className={styles.lines}>
      {start > 0 && <p>{text.sameLines(start)}</p>}
      {removed.length > 0 && <del dir="auto">{removed.join('\n')}</del>}
      {added.length > 0 && <ins dir="auto">{added.join('\n')}</ins>}
      {end > 0 && <p>{text.sameLines(end)}</p>}
    </dd>
  )
}

/** Fields whose numbers are Unix milliseconds. */
const TIMES = /(?:At|Time)$/

function useShownValue(field: string) {
  const text = useMessages(adminActionsMessages)
  const format = useFormat()
  return (value: unknown): string => {
    if (value === null) return text.none
    if (typeof value === 'boolean') return value ? text.yes : text.no
    if (typeof value === 'number') return TIMES.test(field) ? format.dateTime(value) : format.number(value)
    if (typeof value === 'string') return value === '' ? text.empty : value
    if (isSecret(value)) return text.secret(value.secret)
    if (isTruncated(value)) return `${value.truncated}… ${text.truncated(format.bytes(value.bytes))}`
    return JSON.stringify(value, null, 1)
  }
}

function isSecret(value: unknown): value is { readonly secret: string } {
  return typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string'
}

interface Truncated {
  readonly truncated: string
  readonly bytes: number
}

function isTruncated(value: unknown): value is Truncated {
  return typeof value === 'object' && value !== null && 'truncated' in value && 'bytes' in value
}
