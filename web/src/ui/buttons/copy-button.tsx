import { useEffect, useRef, useState } from 'react'
import { copyText } from '../copy-text.ts'
import { useUiMessages } from '../ui-messages.ts'
import { Button, type ButtonProps } from './button.tsx'

const SHOWN_MS = 1500

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'icon'> {
  /** Text to copy. A function is called when the button is clicked. */
  readonly text: string | (() => string)
  /** Element to select for manual copying if the clipboard is not available. */
  readonly selectFallback?: () => HTMLElement | null
}

/**
 * Copies a text and confirms it inside the button. A live region without a role, because a role would replace
 * its name.
 */
export function CopyButton({ text, selectFallback, children, ...props }: CopyButtonProps) {
  const messages = useUiMessages()
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (word: string) => {
    setSaid(word)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(null), SHOWN_MS)
  }
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : text())
      say(messages.copied)
    } catch {
      const shown = selectFallback?.()
      if (shown) getSelection()?.selectAllChildren(shown)
      say(shown ? messages.copyManually : messages.failed)
    }
  }
  return (
    <Button {...props} icon={said === messages.copied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? children ?? messages.copy}</span>
    </Button>
  )
}
