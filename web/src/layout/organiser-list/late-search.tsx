import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { late } from '../../ui/late.ts'
import { TYPING_RESTS_MS } from '../../ui/use-rested.ts'

/** A search that the server answers: it is told when the typing rests, on Enter, and when the field is left. */
export function LateSearch({ onChange, ...props }: ComponentProps<typeof SearchInput>) {
  const tell = useRef(onChange)
  useEffect(() => {
    tell.current = onChange
  })
  const [search] = useState(() => late((text: string) => tell.current(text), TYPING_RESTS_MS))
  useEffect(() => search.stop, [search])
  return (
    <SearchInput
      {...props}
      onChange={search.set}
      onBlur={search.flush}
      onKeyDown={({ key }) => {
        if (key === 'Enter') search.flush()
      }}
    />
  )
}
