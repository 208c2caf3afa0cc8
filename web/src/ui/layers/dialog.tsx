import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { DialogSize, FrameProps } from './dialog-frames.tsx'
import './lock.css'
import { useBackCloses, useScrollLock } from './use-back-closes.ts'
import { useEscapeCloses, useFocusReturn } from './use-layer-keys.ts'

const load = () => import('./dialog-frames.tsx')
const DialogFrame = lazy(async () => ({ default: (await load()).DialogFrame }))
const SheetFrame = lazy(async () => ({ default: (await load()).SheetFrame }))

interface DialogProps {
  readonly open: boolean
  /** Called on Escape, the close button, a click outside and the browser's Back. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Buttons in the last row. */
  readonly actions?: ReactNode
  readonly size?: DialogSize
  /** Do not close on Back: the dialog asks about a pending navigation. */
  readonly keepsHistory?: boolean
}

/** A modal dialog. Traps the focus and returns it to what opened it. */
export function Dialog({ size = 'small', keepsHistory = false, ...frame }: DialogProps) {
  const isWanted = useLayer(frame, !keepsHistory)
  return <Suspense>{isWanted && <DialogFrame {...frame} size={size} />}</Suspense>
}

/** Details next to a list: full height, at the end of the line. */
export function Sheet(frame: FrameProps) {
  const isWanted = useLayer(frame, true)
  return <Suspense>{isWanted && <SheetFrame {...frame} />}</Suspense>
}

/** Whether it was ever opened. Layers are not rendered before they are first opened. */
function useLayer({ open, onClose }: FrameProps, backCloses: boolean): boolean {
  useBackCloses(open && backCloses, onClose)
  useScrollLock(open)
  useEscapeCloses(open, onClose)
  useFocusReturn(open)
  useEffect(loadWhenUsed, [])
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  return wasOpen
}

const SIGNS_OF_USE = ['pointerover', 'touchstart', 'keydown'] as const

/** Preloads the frames on the first user interaction, so that they are ready when the first dialog opens. */
function loadWhenUsed(): () => void {
  const stop = () => {
    for (const sign of SIGNS_OF_USE) removeEventListener(sign, begin)
  }
  const begin = () => {
    stop()
    // A failure is retried, and reported, when a dialog opens.
    load().catch(() => {})
  }
  for (const sign of SIGNS_OF_USE) addEventListener(sign, begin, { passive: true })
  return stop
}
