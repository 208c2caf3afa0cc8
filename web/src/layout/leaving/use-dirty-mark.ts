import { useEffect, useId } from 'react'
import { markDirty } from '../../state/dirty.ts'

/** Marks unsaved work: closing the tab asks first, and so does the `LeaveGuard` of the page before a link or Back. */
export function useDirtyMark(isDirty: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const clean = markDirty(id)
    window.addEventListener('beforeunload', warn)
    return () => {
      clean()
      window.removeEventListener('beforeunload', warn)
    }
  }, [isDirty, id])
}
