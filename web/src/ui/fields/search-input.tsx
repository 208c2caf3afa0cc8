import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { TextInput } from './inputs.tsx'
import { afterTyping, afterValue } from './typed.ts'

/** A search whose value is kept in the address: that follows later than the keys, which must not be lost meanwhile. */
export function SearchInput({ value, onChange, ...props }: ComponentProps<typeof TextInput>) {
  const [typed, setTyped] = useState({ text: value, told: [] as readonly string[] })
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
