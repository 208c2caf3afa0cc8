import type { QueryClient } from '@tanstack/react-query'
import { configQuery } from './queries.ts'

/** Tabs of one browser tell each other of what they changed of the event. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('pennant.event')

/** After a change of the event: the other tabs of this browser read it anew. */
export function tellOtherTabs(): void {
  channel?.postMessage('changed')
}

/** Reads the event anew whenever another tab changed it. Once, at the start. */
export function followEvent(queries: QueryClient): void {
  channel?.addEventListener('message', () => {
    void queries.invalidateQueries({ queryKey: configQuery.queryKey })
  })
}
