import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { TextInput } from './inputs.tsx'
import { afterTyping, afterValue } from './typed.ts'

/** Debounce of a search that sends a request. */
export const SEARCH_DELAY_MS = 350

/**
 * A search input whose value is stored in the URL. The URL updates later than the keystrokes, which must not
 * get lost.
 */
export function SearchInput({ value, onChange, ...props }: ComponentProps<typeof TextInput>) {
  const [typed, setTyped] = useState({ text: value, pending: [] as readonly string[] })
  const last = useRef(value)
  useEffect(() => {
    if (last.current === value) return
    last.current = value
    setTyped((now) => afterValue(now, value))
  }, [value])
  return (
    <TextInput
      {...props}
      type="search"
      value={typed.text}
      onChange={(text) => {
        setTyped((now) => afterTyping(now, text))
        onChange(text)
      }}
    />
  )
}
