import type { QueryClient } from '@tanstack/react-query'
import { openChannel } from '../state/storage.ts'
import { configQuery } from './queries.ts'

/** Tabs of the same browser notify each other when they change the event. */
const channel = openChannel('pennant.event')

/** After a change of the event, makes the other tabs of this browser refetch it. */
export function notifyOtherTabs(): void {
  channel?.postMessage('changed')
}

/** Refetches the event when another tab changed it. Call once, at startup. */
export function followEvent(queries: QueryClient): void {
  channel?.addEventListener('message', () => {
    void queries.invalidateQueries({ queryKey: configQuery.queryKey })
  })
}
