import { useMediaQuery } from '@mantine/hooks'

/** Whether a media query matches, from the first render on, so that the layout does not jump. */
export function useMedia(query: string): boolean {
  return useMediaQuery(query, undefined, { getInitialValueInEffect: false })
}
