import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { DialogSize, FrameProps } from './dialog-frames.tsx'
import './lock.css'
import { useBackCloses, useScrollLock } from './use-back-closes.ts'

const load = () => import('./dialog-frames.tsx')
const DialogFrame = lazy(async () => ({ default: (await load()).DialogFrame }))
const SheetFrame = lazy(async () => ({ default: (await load()).SheetFrame }))

interface DialogProps {
  readonly open: boolean
  /** Asked by Escape, the cross, a press outside and the browser's Back. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Its last row: what can be done. */
  readonly actions?: ReactNode
  readonly size?: DialogSize
  /** Back is not for it: it asks about a navigation that is under way. */
  readonly keepsHistory?: boolean
}

/** A question or a task before which the page waits. Focus is kept inside and returned afterwards. */
export function Dialog({ size = 'small', keepsHistory = false, ...frame }: DialogProps) {
  const isWanted = useLayer(frame, !keepsHistory)
  return <Suspense>{isWanted && <DialogFrame {...frame} size={size} />}</Suspense>
}

/** Detail beside a list: from the end of the line, full height. */
export function Sheet(frame: FrameProps) {
  const isWanted = useLayer(frame, true)
  return <Suspense>{isWanted && <SheetFrame {...frame} />}</Suspense>
}

/** Whether it was ever opened: what nobody opens is not drawn. */
function useLayer({ open, onClose }: FrameProps, backCloses: boolean): boolean {
  useBackCloses(open && backCloses, onClose)
  useScrollLock(open)
  useEffect(loadWhenUsed, [])
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  return wasOpen
}

const SIGNS_OF_USE = ['pointerover', 'touchstart', 'keydown'] as const

/** Fetches the frames as soon as somebody begins to use the page: they are there when the first one is opened. */
function loadWhenUsed(): () => void {
  const stop = () => {
    for (const sign of SIGNS_OF_USE) removeEventListener(sign, begin)
  }
  const begin = () => {
    stop()
    // What fails here is tried again, and told, when a dialog is opened.
    load().catch(() => {})
  }
  for (const sign of SIGNS_OF_USE) addEventListener(sign, begin, { passive: true })
  return stop
}
