import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { sessionToken } from '../state/session.ts'
import { useText } from '../text/catalogue.ts'
import { useToasts } from '../ui/layers/toasts.tsx'
import { awaitEnd, forgetEnd, SOON_MS } from './instance-warning.ts'
import { liveWords } from './live-words.ts'
import { instanceQuery, leftOf, type SeenInstance } from './use-instance.ts'

const MINUTE_MS = 60_000

/** Says once that the instance is about to stop, unless its panel is in sight then. The panel takes the reference. */
export function useEndWarning(
  { id, name }: { readonly id: string; readonly name: string },
  state?: SeenInstance,
) {
  const text = useText(liveWords)
  const toasts = useToasts()
  const queries = useQueryClient()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!state) return
    const leftMs = leftOf(state)
    if (leftMs === null) return forgetEnd(id)
    const tell = async () => {
      const { current } = panel
      if ((current && isInSight(current)) || sessionToken() === null) return
      // Where nobody looks, nobody has asked since: it may have been given more time.
      const now = current ? state : await queries.fetchQuery(instanceQuery(id)).catch(() => null)
      const left = now && leftOf(now)
      if (left === null) return
      if (left > SOON_MS) wait(left)
      else toasts.show(text.expires(name, Math.max(1, Math.round(left / MINUTE_MS))))
    }
    const wait = (left: number) =>
      awaitEnd(id, { at: performance.now() + left - SOON_MS, tell: () => void tell() })
    wait(leftMs)
  }, [id, name, state, text, toasts, queries])
  return panel
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
