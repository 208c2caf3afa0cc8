import { useBlocker } from 'react-router'
import { isAnythingDirty } from '../../state/dirty.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useDirtyMark } from './use-dirty-mark.ts'

interface LeaveGuardProps {
  readonly isDirty?: boolean
}

/**
 * Confirms before unsaved work is lost by a link, by Back or by closing the tab: that of its form, and of all forms that call
 * `useDirtyMark`. A page has one, because the router asks only one.
 */
export function LeaveGuard({ isDirty = false }: LeaveGuardProps) {
  const text = useMessages(frameMessages)
  useDirtyMark(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      (isDirty || isAnythingDirty()) && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  const actions = (
    <>
      <Button onClick={() => blocker.reset()}>{text.stay}</Button>
      <Button tone="danger" onClick={() => blocker.proceed()}>
        {text.leave}
      </Button>
    </>
  )
  return (
    <Dialog open keepsHistory onClose={() => blocker.reset()} title={text.leaveTitle} actions={actions}>
      <p>{text.leaveText}</p>
    </Dialog>
  )
}
