import { useEffect, useRef, useState } from 'react'
import { useUiMessages } from '../ui-messages.ts'
import styles from './buttons.module.css'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

const HIDES_AFTER_MS = 30_000
const MASK = '••••••••••••'

/** A text shown on demand, and hidden again after 30 s or when the window loses focus. */
export function Secret({ value, label }: { readonly value: string; readonly label: string }) {
  const messages = useUiMessages()
  const [shown, setShown] = useState(false)
  const text = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!shown) return
    const hide = () => setShown(false)
    const timer = setTimeout(hide, HIDES_AFTER_MS)
    window.addEventListener('blur', hide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
    }
  }, [shown])
  return (
    <div className={styles.secret} role="group" aria-label={label}>
      <code ref={text} dir="ltr" className={styles.mono}>
        {shown ? value : <span aria-hidden="true">{MASK}</span>}
      </code>
      <Button icon={shown ? 'eyeOff' : 'eye'} onClick={() => setShown(!shown)}>
        {shown ? messages.hide : messages.reveal}
      </Button>
      <CopyButton text={value} selectFallback={() => (shown ? text.current : null)} />
    </div>
  )
}
