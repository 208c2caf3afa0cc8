import { useEffect, useId, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Announcer } from '../announcer.tsx'
import { IconButton } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import styles from './layers.module.css'
import { ToastRegion } from './toasts.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { useFocusReturn } from './use-focus-return.ts'

interface LayerProps {
  readonly open: boolean
  /** Called on Escape, the close button, a click outside and the browser's Back. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Buttons in the last row. */
  readonly actions?: ReactNode
}

interface DialogProps extends LayerProps {
  readonly size?: 'small' | 'medium' | 'large' | 'full'
  /** Do not close on Back: the dialog asks about a pending navigation. */
  readonly keepsHistory?: boolean
}

/** A modal dialog. Traps the focus and returns it to what opened it. */
export function Dialog({ open, size = 'small', keepsHistory = false, ...frame }: DialogProps) {
  useBackCloses(open && !keepsHistory, frame.onClose)
  return open && <Frame {...frame} className={cx(styles.dialog, styles[size])} />
}

/** Details next to a list: full height, at the end of the line. */
export function Sheet({ open, ...frame }: LayerProps) {
  useBackCloses(open, frame.onClose)
  return open && <Frame {...frame} className={cx(styles.sheet)} />
}

interface FrameProps extends Omit<LayerProps, 'open'> {
  readonly className: string
}

function Frame({ onClose, title, children, actions, className }: FrameProps) {
  const messages = useUiMessages()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useFocusReturn()
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return createPortal(
    <dialog
      ref={dialog}
      closedby="any"
      aria-labelledby={titleId}
      className={cx(styles.layer, className)}
      onCancel={(event) => {
        // Only the caller closes it. Events of file inputs inside bubble up to here.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // Browsers do not let a page prevent the second Escape in a row.
      onClose={onClose}
    >
      <div className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <IconButton icon="close" label={messages.close} onClick={onClose} />
      </div>
      <div className={styles.body}>
        {children}
        {actions !== undefined && <div className={styles.foot}>{actions}</div>}
      </div>
      {/* Those of the page are inert while a dialog is open. */}
      <ToastRegion />
      <Announcer />
    </dialog>,
    document.body,
  )
}
