import { useState } from 'react'
import { announce } from '../announcer.tsx'
import { copyText } from '../copy-text.ts'
import { useUiMessages } from '../ui-messages.ts'
import { Button, type ButtonProps } from './button.tsx'
import { useSuccess } from './use-success.ts'

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'onBlur' | 'icon' | 'success'> {
  /** Text to copy. A function is called when the button is clicked. */
  readonly text: string | (() => string)
  /** Element to select for manual copying if the clipboard is not available. */
  readonly selectFallback?: () => HTMLElement | null
}

/** Copies a text and confirms it inside the button. */
export function CopyButton({ text, selectFallback, children, ...props }: CopyButtonProps) {
  const messages = useUiMessages()
  const copied = useSuccess(messages.copied)
  const [failure, setFailure] = useState<string | null>(null)
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : text())
      setFailure(null)
      copied.show()
    } catch {
      const shown = selectFallback?.()
      if (shown) getSelection()?.selectAllChildren(shown)
      const reason = shown ? messages.copyManually : messages.failed
      setFailure(reason)
      announce(reason)
    }
  }
  return (
    <Button
      {...props}
      icon="copy"
      success={copied}
      onClick={() => void copy()}
      onBlur={() => setFailure(null)}
    >
      {failure ?? children ?? messages.copy}
    </Button>
  )
}
