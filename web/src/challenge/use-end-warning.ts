import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { sessionToken } from '../state/session.ts'
import { livePartsMessages } from '../text/en/live-parts.ts'
import { useMessages } from '../text/messages.ts'
import { useToasts } from '../ui/layers/toasts.tsx'
import { awaitEnd, forgetEnd, SOON_MS } from './instance-warning.ts'
import { instanceQuery, remainingMs, type SeenInstance } from './use-instance.ts'

/**
 * Warns once that the instance is about to stop, unless its panel is visible. Attach the returned ref to the
 * panel.
 */
export function useEndWarning(
  { id, name }: { readonly id: string; readonly name: string },
  state?: SeenInstance,
) {
  const text = useMessages(livePartsMessages)
  const toasts = useToasts()
  const queries = useQueryClient()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!state) return
    const leftMs = remainingMs(state)
    if (leftMs === null) return forgetEnd(id)
    const warn = async () => {
      const { current } = panel
      if ((current && isInSight(current)) || sessionToken() === null) return
      // Without an open panel nothing polls the state: the instance may have been extended since.
      const now = current ? state : await queries.fetchQuery(instanceQuery(id)).catch(() => null)
      const left = now && remainingMs(now)
      if (left === null) return
      if (left > SOON_MS) wait(left)
      else toasts.show(text.expires(name, Math.max(1, Math.round(left / MINUTE_MS))))
    }
    const wait = (left: number) =>
      awaitEnd(id, { at: performance.now() + left - SOON_MS, warn: () => void warn() })
    wait(leftMs)
  }, [id, name, state, text, toasts, queries])
  return panel
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
