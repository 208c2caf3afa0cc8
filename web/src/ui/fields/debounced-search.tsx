import { useEffect, useRef, type ComponentProps } from 'react'
import { SEARCH_DELAY_MS, SearchInput } from './search-input.tsx'

/** A debounced search on the server: sent when typing pauses, on Enter and on blur. */
export function DebouncedSearch({ onChange, ...props }: ComponentProps<typeof SearchInput>) {
  const pending = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly send: () => void }>(null)
  const stop = () => {
    clearTimeout(pending.current?.timer)
    pending.current = null
  }
  const flush = () => {
    pending.current?.send()
    stop()
  }
  useEffect(() => stop, [])
  return (
    <SearchInput
      {...props}
      onChange={(text) => {
        stop()
        pending.current = { timer: setTimeout(flush, SEARCH_DELAY_MS), send: () => onChange(text) }
      }}
      onBlur={flush}
      onKeyDown={({ key }) => {
        if (key === 'Enter') flush()
      }}
    />
  )
}
