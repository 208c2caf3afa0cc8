import { useEffect, useId } from 'react'
import { useBlocker } from 'react-router'
import { markDirty } from '../state/dirty.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'

/** Place inside a form: confirms before unsaved work is lost by a link, by Back or by closing the tab. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const id = useId()
  const text = useMessages(frameMessages)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const clean = markDirty(id)
    window.addEventListener('beforeunload', ask)
    return () => {
      clean()
      window.removeEventListener('beforeunload', ask)
    }
  }, [isDirty, id])
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
