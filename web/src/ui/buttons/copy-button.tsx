import { useEffect, useRef, useState } from 'react'
import { copyText } from '../copy-text.ts'
import { useWords } from '../words.ts'
import { Button, type ButtonProps } from './button.tsx'

const SHOWN_MS = 1500

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'icon'> {
  /** What is copied. A function is asked when the button is pressed. */
  readonly text: string | (() => string)
  /** Selected for copying by hand where the browser keeps its clipboard closed. */
  readonly selectFallback?: () => HTMLElement | null
}

/** Copies a text, and says so inside the button. Its words are live without a role: one would take its name from it. */
export function CopyButton({ text, selectFallback, children, ...props }: CopyButtonProps) {
  const words = useWords()
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
      say(words.copied)
    } catch {
      const shown = selectFallback?.()
      if (shown) getSelection()?.selectAllChildren(shown)
      say(shown ? words.copyByHand : words.failed)
    }
  }
  return (
    <Button {...props} icon={said === words.copied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? children ?? words.copy}</span>
    </Button>
  )
}
