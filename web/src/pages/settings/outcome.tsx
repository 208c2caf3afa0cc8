import { FailureLine } from '../../account/failure-line.tsx'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import styles from './settings.module.css'
import type { Change } from './use-change.ts'
import { words } from './words.ts'

/** What came of the last change. The place is there before, so that readers hear it. */
export function Outcome({ change }: { readonly change: Change }) {
  return (
    <>
      <FailureLine>{change.failure}</FailureLine>
      <div role="status" className={styles.done}>
        {change.done}
      </div>
    </>
  )
}

interface SaveButtonProps {
  readonly change: Change
  readonly isDirty: boolean
  readonly label?: string
}

/** Submits its form. After too many changes it counts down to the next. */
export function SaveButton({ change, isDirty, label }: SaveButtonProps) {
  const text = useText(words)
  const because = change.waitS > 0 ? text.tooFast : isDirty ? undefined : text.nothingChanged
  return (
    <Button tone="primary" type="submit" busy={change.isBusy} disabledBecause={because}>
      {change.waitS > 0 ? text.nextIn(change.waitS) : (label ?? text.save)}
    </Button>
  )
}
