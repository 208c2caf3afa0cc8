import { Drawer, Modal } from '@mantine/core'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { useWords } from '../words.ts'
import styles from './layers.module.css'
import './lock.css'
import { useBackCloses, useScrollLock } from './use-back-closes.ts'

interface DialogProps {
  readonly open: boolean
  /** Asked by Escape, the cross, a press outside and the browser's Back. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Its last row: what can be done. */
  readonly actions?: ReactNode
  readonly size?: 'small' | 'medium' | 'large' | 'full'
  /** Back is not for it: it asks about a navigation that is under way. */
  readonly keepsHistory?: boolean
}

const WIDTHS = { small: 420, medium: 640, large: 960, full: '100%' } as const

/** A question or a task before which the page waits. Focus is kept inside and returned afterwards. */
export function Dialog({ open, onClose, title, children, actions, ...look }: DialogProps) {
  const { size = 'small', keepsHistory = false } = look
  useBackCloses(open && !keepsHistory, onClose)
  useScrollLock(open)
  const words = useWords()
  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={title}
      size={WIDTHS[size]}
      fullScreen={size === 'full'}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': words.close }}
      classNames={layerClasses(styles.dialog)}
    >
      {children}
      {actions !== undefined && <div className={styles.foot}>{actions}</div>}
    </Modal>
  )
}

/** Detail beside a list: from the end of the line, full height. */
export function Sheet({ open, onClose, title, children, actions }: Omit<DialogProps, 'size'>) {
  useBackCloses(open, onClose)
  useScrollLock(open)
  const words = useWords()
  return (
    <Drawer
      opened={open}
      onClose={onClose}
      title={title}
      position="right"
      size={560}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': words.close }}
      classNames={layerClasses()}
    >
      {children}
      {actions !== undefined && <div className={styles.foot}>{actions}</div>}
    </Drawer>
  )
}

function layerClasses(content?: string) {
  return {
    overlay: cx(styles.overlay),
    content: cx(styles.content, content),
    header: cx(styles.header),
    title: cx(styles.title),
    body: cx(styles.body),
  }
}
