import type { Route } from '@pennant/contract/route.ts'
import type { VisibilitySettings } from '@pennant/contract/visibility.ts'
import { createStore } from './store.ts'

/** The parts of the event that are not open to everyone: docs/operate/closed-events.md. Learned from the configuration. */
const closed = createStore('{}')

export const subscribeVisibility = closed.subscribe

export function learnVisibility(settings: VisibilitySettings = {}): void {
  closed.set(JSON.stringify(settings))
}

export function isAnyClosed(): boolean {
  return closed.read() !== '{}'
}

/** Whether the response depends on who asks, because the route shows a closed part. */
export function isClosed({ shows = [], limitedTo = [] }: Pick<Route, 'shows' | 'limitedTo'>): boolean {
  const parts = JSON.parse(closed.read()) as VisibilitySettings
  return [...shows, ...limitedTo].some((part) => parts[part] !== undefined)
}
