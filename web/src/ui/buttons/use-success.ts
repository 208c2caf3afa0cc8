import { useEffect, useRef, useState } from 'react'
import { announce } from '../announcer.tsx'

const SHOWN_MS = 2000

/** What a button shows after its action succeeded. */
export interface Success {
  readonly word: string
  readonly isShown: boolean
}

/** Confirms an action inside its button: `show()` displays the word for two seconds and announces it. */
export function useSuccess(word: string): Success & { readonly show: () => void } {
  const [isShown, setShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = () => {
    announce(word)
    setShown(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(false), SHOWN_MS)
  }
  return { word, isShown, show }
}
