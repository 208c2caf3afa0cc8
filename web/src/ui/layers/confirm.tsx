import { useEffect, useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../buttons/button.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { Dialog } from './dialog.tsx'

/** Time limit for the second click. */
const ARMED_MS = 4000

interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly onConfirm: () => void
}

/** The lightest confirmation: click the same button twice. */
export function ConfirmButton({ onConfirm, children, tone = 'danger', ...props }: ConfirmButtonProps) {
  const messages = useUiMessages()
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!armed) return
    const timer = setTimeout(() => setArmed(false), ARMED_MS)
    return () => clearTimeout(timer)
  }, [armed])
  const handleClick = () => {
    setArmed(!armed)
    if (armed) onConfirm()
  }
  return (
    <Button {...props} tone={tone} onClick={handleClick} onBlur={() => setArmed(false)}>
      <span aria-live="polite">{armed ? messages.confirmAgain : children}</span>
    </Button>
  )
}

interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly title: ReactNode
  /** The consequences, with numbers. */
  readonly children: ReactNode
  /** Button label: the action, not "OK". */
  readonly action: string
  readonly busy?: boolean
  /** The strictest confirmation: the button is enabled when this text is typed. */
  readonly word?: string
}

/**
 * Normalizes whitespace as HTML renders it: outer and repeated spaces are invisible, and an input has no line
 * breaks.
 */
function withBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A confirmation dialog, optionally with a text to type. */
export function Confirm({ word, ...props }: ConfirmProps) {
  const messages = useUiMessages()
  const [typed, setTyped] = useState('')
  const { open, onClose, onConfirm, title, children, action, busy = false } = props
  useEffect(() => {
    if (open) setTyped('')
  }, [open])
  const missing =
    word !== undefined && withBlanks(typed) !== withBlanks(word) ? messages.typeToConfirm(word) : undefined
  const actions = (
    <>
      <Button onClick={onClose}>{messages.cancel}</Button>
      <Button tone="danger" busy={busy} disabledBecause={missing} onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={onClose} title={title} actions={actions}>
      {children}
      {word !== undefined && (
        <TextInput
          mono
          autoComplete="off"
          label={messages.typeToConfirm(word)}
          value={typed}
          onChange={setTyped}
        />
      )}
    </Dialog>
  )
}

interface AskButtonProps extends Omit<ButtonProps, 'about' | 'onClick' | 'title'> {
  readonly title: string
  /** The consequences, with numbers. */
  readonly about: ReactNode
  /** The label of the dialog's button, and of this one unless it has its own. */
  readonly action: string
  readonly word?: string
  /** The dialog closes afterwards, unless the result is false. */
  readonly onConfirm: () => Promise<unknown>
}

/** A button that asks in a dialog before it acts. `busy`: the action is running. */
export function AskButton({ title, about, action, word, onConfirm, ...props }: AskButtonProps) {
  const { busy = false, children = action, ...button } = props
  const [isAsking, setAsking] = useState(false)
  const confirm = async () => {
    if ((await onConfirm()) !== false) setAsking(false)
  }
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void confirm()}
        busy={busy}
        {...{ title, action, ...(word !== undefined && { word }) }}
      >
        {about}
      </Confirm>
    </>
  )
}
