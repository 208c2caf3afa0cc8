import { FailureLine } from '../../account/failure-line.tsx'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Success } from '../../ui/buttons/use-success.ts'
import styles from './settings.module.css'
import type { Change } from './use-change.ts'

/** Why the last change failed, or the next step. The live region is always rendered, so that screen readers announce it. */
export function Outcome({ change }: { readonly change: Change }) {
  return (
    <>
      <FailureLine>{change.failure}</FailureLine>
      <div role="status" className={styles.next}>
        {change.next}
      </div>
    </>
  )
}

interface SaveButtonProps {
  readonly change: Change
  readonly isDirty: boolean
  readonly success: Success
  readonly label?: string
}

/** Submit button of the form. After a rate limit it counts down to the next attempt. */
export function SaveButton({ change, isDirty, success, label }: SaveButtonProps) {
  const text = useMessages(settingsMessages)
  const because = change.waitS > 0 ? text.rateLimited : isDirty ? undefined : text.nothingToSave
  return (
    <Button tone="primary" type="submit" busy={change.isPending} success={success} disabledBecause={because}>
      {change.waitS > 0 ? text.retryIn(change.waitS) : (label ?? text.save)}
    </Button>
  )
}
