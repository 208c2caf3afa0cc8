import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Textarea } from '../../../ui/fields/inputs.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import styles from '../challenges.module.css'
import { resultOf, typedResult, type Result } from './conflict-result.ts'
import type { Draft, DraftField } from '../draft.ts'
import type { Conflict } from './merge.ts'

interface ConflictDialogProps {
  readonly conflicts: readonly Conflict[]
  readonly onResolve: (chosen: Partial<Draft>) => void
  readonly onClose: () => void
}

/** Shown when two organisers changed the same fields: for each field, your version, theirs and the result. */
export function ConflictDialog({ conflicts, onResolve, onClose }: ConflictDialogProps) {
  const text = useMessages(adminChallengesMessages)
  const [results, setResults] = useState<Partial<Record<DraftField, Result>>>(() =>
    Object.fromEntries(conflicts.map(({ field, yours }) => [field, resultOf(field, yours)])),
  )
  const chosen = conflicts.map(({ field, yours }) => ({
    field,
    ...(results[field] ?? resultOf(field, yours)),
  }))
  const isBroken = chosen.some(({ value }) => value === undefined)
  const resolve = () => onResolve(Object.fromEntries(chosen.map(({ field, value }) => [field, value])))
  const actions = (
    <Button tone="primary" disabledBecause={isBroken ? text.badJson : undefined} onClick={resolve}>
      {text.resolve}
    </Button>
  )
  return (
    <Dialog open onClose={onClose} title={text.conflictTitle} size="large" actions={actions}>
      <p>{text.conflictAbout}</p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.field}
          conflict={conflict}
          result={results[conflict.field] ?? resultOf(conflict.field, conflict.yours)}
          onChange={(result) => setResults({ ...results, [conflict.field]: result })}
        />
      ))}
    </Dialog>
  )
}

interface ChoiceProps {
  readonly conflict: Conflict
  readonly result: Result
  readonly onChange: (result: Result) => void
}

function Choice({ conflict: { field, yours, theirs }, result, onChange }: ChoiceProps) {
  const text = useMessages(adminChallengesMessages)
  const side = (title: string, value: Draft[DraftField], label: string) => (
    <div className={styles.side}>
      <h4>{title}</h4>
      <pre dir="auto">{resultOf(field, value).text}</pre>
      <Button onClick={() => onChange(resultOf(field, value))}>{label}</Button>
    </div>
  )
  return (
    <section aria-label={text.fields[field]}>
      <h3>{text.fields[field]}</h3>
      <div className={styles.sides}>
        {side(text.yours, yours, text.useYours)}
        {side(text.theirs, theirs, text.useTheirs)}
        <div className={styles.side}>
          <Textarea
            label={text.result}
            rows={6}
            value={result.text}
            onChange={(typed) => onChange(typedResult(field, typed))}
            error={result.value === undefined ? text.badJson : undefined}
          />
        </div>
      </div>
    </section>
  )
}
