import { useEffect, useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../buttons/button.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useWords } from '../words.ts'
import { Dialog } from './dialog.tsx'

/** So long the second press counts. */
const ARMED_MS = 4000

interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly onConfirm: () => void
}

/** The weakest question: the same button, pressed a second time. */
export function ConfirmButton({ onConfirm, children, tone = 'danger', ...props }: ConfirmButtonProps) {
  const words = useWords()
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!armed) return
    const timer = setTimeout(() => setArmed(false), ARMED_MS)
    return () => clearTimeout(timer)
  }, [armed])
  const press = () => {
    setArmed(!armed)
    if (armed) onConfirm()
  }
  return (
    <Button {...props} tone={tone} onClick={press} onBlur={() => setArmed(false)}>
      <span aria-live="polite">{armed ? words.sure : children}</span>
    </Button>
  )
}

interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly title: ReactNode
  /** What will happen, in numbers. */
  readonly children: ReactNode
  /** On the button: the deed, not "OK". */
  readonly deed: string
  readonly busy?: boolean
  /** The strongest question: the deed waits until this is typed. */
  readonly word?: string
}

/** As it is read: blanks at the ends and in rows are not seen, and a field keeps no line breaks. */
function withBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A question in a dialog, on demand with a word to type. */
export function Confirm({ word, ...props }: ConfirmProps) {
  const words = useWords()
  const [typed, setTyped] = useState('')
  const { open, onClose, onConfirm, title, children, deed, busy = false } = props
  useEffect(() => {
    if (open) setTyped('')
  }, [open])
  const missing =
    word !== undefined && withBlanks(typed) !== withBlanks(word) ? words.typeToConfirm(word) : undefined
  const actions = (
    <>
      <Button onClick={onClose}>{words.cancel}</Button>
      <Button tone="danger" busy={busy} disabledBecause={missing} onClick={onConfirm}>
        {deed}
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
          label={words.typeToConfirm(word)}
          value={typed}
          onChange={setTyped}
        />
      )}
    </Dialog>
  )
}
