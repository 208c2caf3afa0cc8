import { useDebouncedCallback } from '@mantine/hooks'
import type { ComponentProps } from 'react'
import { SEARCH_DELAY_MS, SearchInput } from './search-input.tsx'

/** A debounced search on the server: sent when typing pauses, on Enter and on blur. */
export function DebouncedSearch({ onChange, ...props }: ComponentProps<typeof SearchInput>) {
  const search = useDebouncedCallback(onChange, SEARCH_DELAY_MS)
  return (
    <SearchInput
      {...props}
      onChange={search}
      onBlur={() => search.flush()}
      onKeyDown={({ key }) => {
        if (key === 'Enter') search.flush()
      }}
    />
  )
}
