import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Nothing of the stream competes with what the page shows first. */
const LOOK_MS = 2000

let reportQuiet: () => void
/** Resolves once the page has what it shows. */
export const pageIsQuiet = new Promise<void>((resolve) => {
  reportQuiet = resolve
})

/** Loads and follows the live stream once the page has what it shows. Call once. */
export function useStream(): void {
  const queries = useQueryClient()
  useEffect(() => {
    // Twice in a row: on a slow network, nothing is fetched while the code of the page loads.
    let quiet = 0
    const look = async () => {
      quiet = queries.isFetching() > 0 || document.readyState !== 'complete' ? 0 : quiet + 1
      if (quiet < 2) return
      clearInterval(timer)
      reportQuiet()
      const { followStream } = await import('./stream/follow.ts')
      followStream(queries)
    }
    const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
    return () => clearInterval(timer)
  }, [queries])
}
