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
import { Change } from './change.tsx'
import { undo, type Action } from './queries.ts'
import { otherActor, useActionName } from './use-action-name.ts'

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
