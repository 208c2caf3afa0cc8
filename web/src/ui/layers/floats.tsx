import { Menu as MantineMenu, Popover as MantinePopover, Tooltip as MantineTooltip } from '@mantine/core'
import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Tooltip.layer.css'
import { useRef, useState, type ReactElement, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import styles from './layers.module.css'

/** Duration of a long press that opens a tooltip. */
const LONG_PRESS_MS = 500

export interface MenuItem {
  readonly label: ReactNode
  readonly icon?: IconName
  readonly onSelect?: () => void
  /** A link instead of an action. */
  readonly href?: string
  readonly tone?: 'plain' | 'danger'
  readonly isCurrent?: boolean
  readonly disabled?: boolean
}

interface MenuProps {
  /** The button that opens the menu; must accept a ref. */
  readonly target: ReactElement
  readonly items: readonly MenuItem[]
}

/** A menu of actions behind one button. */
export function Menu({ target, items }: MenuProps) {
  return (
    <MantineMenu
      transitionProps={{ duration: 0 }}
      position="bottom-end"
      classNames={{ dropdown: cx(styles.float) }}
    >
      <MantineMenu.Target>{target}</MantineMenu.Target>
      <MantineMenu.Dropdown>
        {items.map((item, at) => (
          <MantineMenu.Item
            key={at}
            {...(item.href === undefined ? {} : { component: 'a' as const, href: item.href })}
            disabled={item.disabled ?? false}
            aria-current={item.isCurrent || undefined}
            className={cx(styles.item, item.tone === 'danger' && styles.dangerItem)}
            leftSection={item.icon && <Icon name={item.icon} />}
            rightSection={item.isCurrent && <Icon name="check" />}
            onClick={() => item.onSelect?.()}
          >
            {item.label}
          </MantineMenu.Item>
        ))}
      </MantineMenu.Dropdown>
    </MantineMenu>
  )
}

interface TooltipProps {
  readonly text: ReactNode
  /** Must be focusable and accept a ref and pointer events. */
  readonly children: ReactElement
}

/** A tooltip on hover, focus and long press. Never the only place for information. */
export function Tooltip({ text, children }: TooltipProps) {
  const [pressed, setPressed] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = () => {
    clearTimeout(timer.current)
    setPressed(false)
  }
  return (
    <span
      onTouchStart={() => {
        timer.current = setTimeout(() => setPressed(true), LONG_PRESS_MS)
      }}
      onTouchEnd={release}
      onTouchCancel={release}
    >
      <MantineTooltip
        label={text}
        {...(pressed ? { opened: true } : {})}
        multiline
        events={{ hover: true, focus: true, touch: false }}
        transitionProps={{ duration: 0 }}
        classNames={{ tooltip: cx(styles.float, styles.tip) }}
      >
        {children}
      </MantineTooltip>
    </span>
  )
}

interface PopoverProps {
  readonly open: boolean
  readonly onChange: (open: boolean) => void
  /** Anchor element; must accept a ref. */
  readonly target: ReactElement
  readonly children: ReactNode
  /** Accessible name. */
  readonly label: string
}

/** A popover anchored to its button, for a small form or more details. Moves the focus in and restores it. */
export function Popover({ open, onChange, target, children, label }: PopoverProps) {
  return (
    <MantinePopover
      opened={open}
      onChange={onChange}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      position="bottom-start"
      classNames={{ dropdown: cx(styles.float, styles.popover) }}
    >
      <MantinePopover.Target>{target}</MantinePopover.Target>
      <MantinePopover.Dropdown aria-label={label}>{children}</MantinePopover.Dropdown>
    </MantinePopover>
  )
}
