import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { FailureLine } from '../../account/failure-line.tsx'
import { OWN_KEY } from '../../api/queries.ts'
import { RequestFailure } from '../../api/failure.ts'
import { paths } from '../../paths.ts'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { announce } from '../../ui/announcer.tsx'
import styles from './actions.module.css'
import { undo, type Action } from './queries.ts'
import { otherActor, useActionName } from './use-action-name.ts'
import { changedLines } from './changed-lines.ts'

interface ActionSheetProps {
  /** Null while it is closed. */
  readonly action: Action | null
  readonly onClose: () => void
}

/** One entry: who, when, from where, before and after; and the button that takes it back. */
export function ActionSheet({ action, onClose }: ActionSheetProps) {
  const nameOf = useActionName()
  return (
    <Sheet open={action !== null} onClose={onClose} title={action ? nameOf(action.action) : ''}>
      {action && <Facts key={action.seq} action={action} onUndone={onClose} />}
    </Sheet>
  )
}

interface FactsProps {
  readonly action: Action
  readonly onUndone: () => void
}

function Facts({ action, onUndone }: FactsProps) {
  const text = useMessages(adminActionsMessages)
  const format = useFormat()
  const { seq, at, actor, targets, route, ip, requestId, undoes, undoneBy, hash } = action
  const facts: [string, string | null][] = [
    [text.who, actor.id === null ? otherActor(actor.name, text) : (actor.name ?? actor.id)],
    [text.person, actor.person ? (actor.person.name ?? actor.person.id) : null],
    [text.apiToken, actor.apiToken?.name ?? null],
    [text.route, route],
    [text.ip, ip],
    [text.request, requestId],
    [text.number, format.number(seq)],
    [text.undoes, undoes === null ? null : format.number(undoes)],
    [text.undoneBy, undoneBy === null ? null : format.number(undoneBy)],
    [text.hash, hash],
  ]
  return (
    <div className={styles.facts}>
      <time dateTime={new Date(at).toISOString()}>{format.dateTime(at)}</time>
      {targets.map(({ id, name }) => (
        <p key={id} className={styles.target}>
          <bdi>{name ?? id}</bdi> <Link to={paths.actionsOf(id)}>{text.allOf(name ?? id)}</Link>
        </p>
      ))}
      <Change action={action} />
      {action.canUndo && <UndoPart action={action} onUndone={onUndone} />}
      <dl className={styles.list}>
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label} className={styles.fact}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

function UndoPart({ action, onUndone }: FactsProps) {
  const text = useMessages(adminActionsMessages)
  const format = useFormat()
  const errorText = useErrorText('change')
  const client = useQueryClient()
  const undoing = useMutation({
    mutationFn: async () => {
      const response = await undo(action.seq)
      if (response.kind === 'goodActionUndo') return null
      const data = response.kind === 'badActionChanged' ? response.data : undefined
      if (!data || !('fields' in data)) return errorText(response)
      const { fields } = data
      return fields.length === 0 ? text.goneSince : text.changedSince(format.list(fields))
    },
    onSuccess: async (failure) => {
      // Settings and challenges of other open pages are other ones now.
      await client.invalidateQueries({ queryKey: [OWN_KEY] })
      if (failure !== null) return
      announce(text.undone)
      onUndone()
    },
  })
  const failure = undoing.error instanceof RequestFailure ? errorText(undoing.error) : undoing.data
  return (
    <div className={styles.undo}>
      <p>{text.undoAbout}</p>
      <Button icon="refresh" busy={undoing.isPending} onClick={() => undoing.mutate()}>
        {text.undo}
      </Button>
      <FailureLine>{failure ?? undefined}</FailureLine>
    </div>
  )
}

/** Each field with its value before and after. */
function Change({ action: { before, after } }: { readonly action: Action }) {
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
