import { createStore } from './store.ts'

/**
 * Since when the live stream reports every change, by the browser's clock; null without a stream. Data that is newer needs
 * no polling: docs/reference/site.md#live-stream
 */
export const streamedSince = createStore<number | null>(null)
