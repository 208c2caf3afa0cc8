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
import { useUiMessages } from '../ui-messages.ts'
import { useMedia } from '../use-media.ts'
import styles from './layers.module.css'

export interface FrameProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export type DialogSize = 'small' | 'medium' | 'large' | 'full'

const WIDTHS = { small: 420, medium: 640, large: 960, full: '100%' } as const

export function DialogFrame({ size, ...props }: FrameProps & { readonly size: DialogSize }) {
  const isNarrow = useMedia('(width < 768px)')
  return (
    <Modal
      {...useFrame(props)}
      size={WIDTHS[size]}
      fullScreen={size === 'full' || (size === 'large' && isNarrow)}
      classNames={layerClasses(styles.dialog)}
    />
  )
}

export function SheetFrame(props: FrameProps) {
  return <Drawer {...useFrame(props)} position="right" size={560} classNames={layerClasses()} />
}

function useFrame({ open, onClose, title, children, actions }: FrameProps) {
  const messages = useUiMessages()
  return {
    opened: open,
    onClose,
    title,
    lockScroll: false,
    // `useEscapeCloses` closes the innermost layer only.
    closeOnEscape: false,
    // `useFocusReturn` does it, for layers that are unmounted while they are open too.
    returnFocus: false,
    transitionProps: { duration: 0 },
    // Otherwise its `header` element would count as a second page banner.
    attributes: { header: { role: 'presentation' } },
    closeButtonProps: { 'aria-label': messages.close },
    children: (
      <>
        {children}
        {actions !== undefined && <div className={styles.foot}>{actions}</div>}
      </>
    ),
  }
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
