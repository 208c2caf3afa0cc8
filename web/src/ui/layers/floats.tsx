import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import styles from './layers.module.css'

type Target = ReactElement<ComponentProps<'button'>>

export interface MenuItem {
  readonly label: ReactNode
  readonly icon?: IconName
  readonly onSelect: () => void
  readonly isCurrent?: boolean
}

interface MenuProps {
  /** The button that opens the menu. */
  readonly target: Target
  readonly items: readonly MenuItem[]
}

/** A menu of actions behind one button. */
export function Menu({ target, items }: MenuProps) {
  const { box, isOpen, attributes, button } = useFloat(target, 'menu')
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') return box.current?.hidePopover()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.findIndex((each) => each === document.activeElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons.at(next % buttons.length)?.focus()
  }
  return (
    <>
      {button}
      <div {...attributes} className={cx(styles.float, styles.menu)} onKeyDown={handleKey}>
        {isOpen &&
          items.map(({ label, icon, onSelect, isCurrent }, at) => (
            <button
              key={at}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-current={isCurrent || undefined}
              className={styles.item}
              onClick={() => {
                // First, so that a layer that the action opens returns the focus to the button of the menu.
                box.current?.hidePopover()
                onSelect()
              }}
            >
              {icon && <Icon name={icon} />}
              {label}
              {isCurrent && <Icon name="check" />}
            </button>
          ))}
      </div>
    </>
  )
}

interface PopoverProps {
  /** The button that opens it. */
  readonly target: Target
  readonly children: (close: () => void) => ReactNode
  /** Accessible name. */
  readonly label: string
}

/** A popover anchored to its button, for a small form or more details. Moves the focus in and restores it. */
export function Popover({ target, children, label }: PopoverProps) {
  const { box, isOpen, attributes, button } = useFloat(target, 'dialog')
  return (
    <>
      {button}
      <div {...attributes} aria-label={label} className={cx(styles.float, styles.popover)}>
        {isOpen && children(() => box.current?.hidePopover())}
      </div>
    </>
  )
}

/** What floats beside its button; the browser closes it and restores the focus. */
function useFloat(target: Target, role: 'menu' | 'dialog') {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('button, input, select')?.focus()
  }, [isOpen])
  const attributes = {
    ref: box,
    id,
    role,
    popover: 'auto',
    'aria-labelledby': role === 'menu' ? `${id}-button` : undefined,
    onToggle: ({ newState }: { readonly newState: string }) => setOpen(newState === 'open'),
  } as const
  const button = cloneElement(target, {
    id: `${id}-button`,
    popoverTarget: id,
    'aria-haspopup': role,
    'aria-expanded': isOpen,
  })
  return { box, isOpen, attributes, button }
}

interface TooltipProps {
  readonly text: ReactNode
  readonly children: Target
}

/** A tooltip on hover and focus. Never the only place for information. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId()
  const place = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const show = () => place.current && tip.current?.showPopover({ source: place.current })
  const hide = () => tip.current?.hidePopover()
  return (
    <span ref={place} onPointerEnter={show} onPointerLeave={hide} onFocus={show} onBlur={hide}>
      {cloneElement(children, { 'aria-describedby': id })}
      {/* Not `auto`: that would close a menu or a popover that is open elsewhere. */}
      <div ref={tip} id={id} role="tooltip" popover="hint" className={cx(styles.float, styles.tip)}>
        {text}
      </div>
    </span>
  )
}
